//! Running error bounds: code that computes, beside a result, how far its rounding errors may move it.
//!
//! The bound follows the instructions one by one (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed.,
//! section 3.3). Its unit is u, half of the distance from 1 to the next number. Each operation passes on the errors of
//! its operands by its derivatives, and adds its own rounding:
//!
//! - q and v are exact to half an ulp, u |x|; constants too, if they are rounded; everything else is exact;
//! - arithmetic and square roots add u |z|, elementary functions, which are within 2 ulp, 4 u |z|; curves through points 12 u of
//!   the terms of their polynomials;
//! - a jump passes on no error: the sign of x is exact, and a comparison takes the right branch.
//!
//! Products of errors are left out. Along a chain of rotations bounds multiply and errors do not, so that bounds of results
//! that may disagree end at a multiple of their size; see [`sizes`].

use super::builder::Builder;
use super::{Instruction, Operand, Schedule, sizes};
use crate::{Binary, Comparison, Piecewise, Symbol, Unary};

const ZERO: Operand = Operand::Constant(0.0);
const ONE: Operand = Operand::Constant(1.0);

/// The error of an elementary function, in u |z|.
const FUNCTION: f64 = 4.0;

/// The roundings of a term of a polynomial of degree 3, and of its coefficients.
const CURVE: f64 = 12.0;

/// The largest bound of a result in units of its size, where bounds are limited. Those of short linkages are smaller.
const MOST_OF_SIZE: f64 = 64.0;

/// The error bound of a value z, in u.
#[derive(Clone, Copy)]
struct Bound {
    /// The factor of |z|.
    relative: f64,
    /// The additional error.
    absolute: Operand,
}

impl Bound {
    const NONE: Self = Self::relative(0.0);

    const fn relative(relative: f64) -> Self {
        Self {
            relative,
            absolute: ZERO,
        }
    }

    fn is_none(&self) -> bool {
        self.relative == 0.0 && self.absolute == ZERO
    }
}

impl Schedule {
    /// Code for running error bounds of some of its results, which follows it: temporaries are numbered from its last
    /// one on, and the roots are the bounds.
    ///
    /// The bounds are in units of half of the machine epsilon. They limit the difference of a result from the exact one
    /// at some coordinates and velocities that differ from the given ones by at most half an ulp each.
    pub fn error_bounds(&self, results: &[Operand]) -> Schedule {
        self.limited_error_bounds(results, 0)
    }

    /// The same, with bounds of the first `limited` results that are at most 64 times their size: the largest length that
    /// the result is computed from. They limit the rounding errors of rotations of any number.
    pub fn limited_error_bounds(&self, results: &[Operand], limited: usize) -> Schedule {
        let contained = self.find_contained(results);
        let mut code = Bounded {
            builder: Builder::after(&self.instructions),
            bounds: Vec::new(),
        };
        for (instruction, is_contained) in self.instructions.iter().zip(contained) {
            if is_contained {
                code.add_instruction(instruction);
            } else {
                let nothing = [Bound::NONE; 2];
                let results = &nothing[..instruction.results() as usize];
                code.bounds.extend(results);
            }
        }
        let mut bounds: Vec<Operand> = results
            .iter()
            .map(|result| code.whole_error(*result))
            .collect();
        let limited = &results[..limited];
        let contained = self.find_contained(limited);
        let sizes = sizes::append(&mut code.builder, &self.instructions, &contained, limited);
        for (bound, size) in bounds.iter_mut().zip(sizes) {
            let most = code.builder.mul(Operand::Constant(MOST_OF_SIZE), size);
            *bound = code.builder.binary(Binary::Min, *bound, most);
        }
        let mut code = code.builder.finish(bounds);
        code.instructions.drain(..self.instructions.len());
        code
    }

    /// For each instruction, whether a result depends on it.
    fn find_contained(&self, results: &[Operand]) -> Vec<bool> {
        let total: u32 = self.instructions.iter().map(Instruction::results).sum();
        let mut is_read = vec![false; total as usize];
        let read = |operand, is_read: &mut Vec<bool>| {
            if let Operand::Temporary(index) = operand {
                is_read[index as usize] = true;
            }
        };
        for result in results {
            read(*result, &mut is_read);
        }
        let mut contained = vec![false; self.instructions.len()];
        let mut end = total as usize;
        for (number, instruction) in self.instructions.iter().enumerate().rev() {
            let first = end - instruction.results() as usize;
            contained[number] = is_read[first..end].contains(&true);
            if contained[number] {
                instruction.for_each_operand(|operand| read(operand, &mut is_read));
            }
            end = first;
        }
        contained
    }
}

/// Code followed by its bounds.
struct Bounded {
    builder: Builder,
    /// The bounds of the temporaries so far.
    bounds: Vec<Bound>,
}

impl Bounded {
    fn bound(&self, operand: Operand) -> Bound {
        match operand {
            Operand::Temporary(index) => self.bounds[index as usize],
            Operand::Symbol(Symbol::Coordinate(_) | Symbol::Velocity(_)) => Bound::relative(1.0),
            Operand::Symbol(_) => Bound::NONE,
            Operand::Constant(value) if is_short(value) => Bound::NONE,
            Operand::Constant(_) => Bound::relative(1.0),
        }
    }

    /// `relative |x| + absolute`
    fn whole_error(&mut self, x: Operand) -> Operand {
        let bound = self.bound(x);
        self.add_scaled_size(bound.relative, x, bound.absolute)
    }

    /// `factor |x| + other`
    fn add_scaled_size(&mut self, factor: f64, x: Operand, other: Operand) -> Operand {
        if factor == 0.0 {
            return other;
        }
        let size = self.size(x);
        self.builder.mul_add(Operand::Constant(factor), size, other)
    }

    fn size(&mut self, x: Operand) -> Operand {
        match x {
            Operand::Constant(value) => Operand::Constant(value.abs()),
            _ => self.builder.unary(Unary::Abs, x),
        }
    }

    /// `|x| error + other`
    fn pass_on(&mut self, x: Operand, error: Operand, other: Operand) -> Operand {
        if error == ZERO {
            return other;
        }
        let size = self.size(x);
        self.builder.mul_add(size, error, other)
    }

    /// a / b, where 0 / b is 0.
    fn divide(&mut self, a: Operand, b: Operand) -> Operand {
        match a {
            ZERO => ZERO,
            _ => self.builder.div(a, b),
        }
    }

    /// Adds the bounds of the results of an instruction.
    fn add_instruction(&mut self, instruction: &Instruction) {
        let z = Operand::Temporary(self.bounds.len() as u32);
        let bound = match *instruction {
            Instruction::Add(a, b) | Instruction::Sub(a, b) => {
                let errors = [a, b].map(|x| self.whole_error(x));
                self.bound_sum(errors)
            }
            Instruction::Neg(a) => self.bound(a),
            Instruction::Mul(a, b) => self.bound_product(a, b),
            Instruction::Div(a, b) => self.bound_quotient(z, a, b),
            Instruction::Recip(b) => self.bound_quotient(z, ONE, b),
            Instruction::MulAdd(a, b, c) | Instruction::NegMulAdd(a, b, c) => {
                let of_other = self.whole_error(c);
                let of_all = self.whole_product(a, b, of_other);
                self.bound_sum([of_all, ZERO])
            }
            Instruction::Powi(a, n) => self.bound_power(z, a, n),
            Instruction::SinCos(a) => {
                let cosine = Operand::Temporary(self.bounds.len() as u32 + 1);
                let of_angle = self.whole_error(a);
                let of_sine = self.pass_on(cosine, of_angle, ZERO);
                self.bounds.push(function(of_sine));
                function(self.pass_on(z, of_angle, ZERO))
            }
            Instruction::Unary(of, a) => self.bound_unary(of, z, a),
            Instruction::Binary(of, a, b) => self.bound_binary(of, z, a, b),
            Instruction::Curve(ref of, ref operands) => self.bound_curve(of, operands),
            Instruction::Select(comparison, [a, b, then, otherwise]) => {
                self.bound_choice(comparison, [a, b], [then, otherwise])
            }
        };
        self.bounds.push(bound);
    }

    /// The bound of a sum of terms with these errors.
    fn bound_sum(&mut self, [a, b]: [Operand; 2]) -> Bound {
        Bound {
            relative: 1.0,
            absolute: self.builder.add(a, b),
        }
    }

    fn bound_product(&mut self, a: Operand, b: Operand) -> Bound {
        let [of_a, of_b] = [a, b].map(|x| self.bound(x));
        let by_b = self.pass_on(a, of_b.absolute, ZERO);
        Bound {
            relative: self.relative_of_product(a, b),
            absolute: self.pass_on(b, of_a.absolute, by_b),
        }
    }

    /// Exact by a power of two.
    fn relative_of_product(&self, a: Operand, b: Operand) -> f64 {
        let of_rounding = if is_power(a) || is_power(b) { 0.0 } else { 1.0 };
        self.bound(a).relative + self.bound(b).relative + of_rounding
    }

    /// The whole error of an unnamed product, and `other`: `|a| (relative |b| + error of b) + |b| error of a`; the sum
    /// in brackets often exists already.
    fn whole_product(&mut self, a: Operand, b: Operand, other: Operand) -> Operand {
        let relative = self.relative_of_product(a, b);
        let [of_a, of_b] = [a, b].map(|x| self.bound(x).absolute);
        let (a, b, of_a, of_b) = if of_b == ZERO {
            (b, a, of_b, of_a)
        } else {
            (a, b, of_a, of_b)
        };
        let of_both = self.add_scaled_size(relative, b, of_b);
        let sum = self.pass_on(a, of_both, other);
        self.pass_on(b, of_a, sum)
    }

    /// z = a / b: `(error of a + |z| error of b) / |b|`.
    fn bound_quotient(&mut self, z: Operand, a: Operand, b: Operand) -> Bound {
        let [of_a, of_b] = [a, b].map(|x| self.bound(x));
        let errors = self.pass_on(z, of_b.absolute, of_a.absolute);
        let size = self.size(b);
        Bound {
            relative: of_a.relative + of_b.relative + 1.0,
            absolute: self.divide(errors, size),
        }
    }

    /// z = a^n by repeated squaring.
    fn bound_power(&mut self, z: Operand, a: Operand, n: i32) -> Bound {
        let of_a = self.bound(a);
        let n = f64::from(n).abs();
        let relative = n * (of_a.relative + 1.0);
        if of_a.absolute == ZERO {
            return Bound::relative(relative);
        }
        let slope = self.slope(z, a);
        let slope = self.builder.mul(Operand::Constant(n), slope);
        Bound {
            relative,
            absolute: self.builder.mul(slope, of_a.absolute),
        }
    }

    /// |z / a|, and 0 if a is 0.
    fn slope(&mut self, z: Operand, a: Operand) -> Operand {
        let sizes = [z, a].map(|x| self.size(x));
        let ratio = self.builder.div(sizes[0], sizes[1]);
        self.choose_unless_zero(a, ratio)
    }

    fn choose_unless_zero(&mut self, a: Operand, value: Operand) -> Operand {
        let operands = [a, ZERO, ZERO, value];
        self.builder.select(Comparison::Equal, operands)
    }

    /// z = f(a), by |df/da|.
    fn bound_unary(&mut self, of: Unary, z: Operand, a: Operand) -> Bound {
        if of == Unary::Abs {
            return self.bound(a);
        }
        if of == Unary::Sign || self.bound(a).is_none() {
            let is_exact = of == Unary::Sign;
            return Bound::relative(if is_exact { 0.0 } else { FUNCTION });
        }
        let error = self.whole_error(a);
        match of {
            // |cos a| is the root of 1 - sin² a.
            Unary::Sin | Unary::Cos => {
                let slope = self.root_of_one(Builder::neg_mul_add, z);
                function(self.builder.mul(slope, error))
            }
            Unary::Tan => {
                let slope = self.builder.mul_add(z, z, ONE);
                function(self.builder.mul(slope, error))
            }
            Unary::Asin | Unary::Acos => {
                let slope = self.root_of_one(Builder::neg_mul_add, a);
                function(self.divide(error, slope))
            }
            Unary::Atan => {
                let slope = self.builder.mul_add(a, a, ONE);
                function(self.divide(error, slope))
            }
            Unary::Sinh => {
                let slope = self.root_of_one(Builder::mul_add, z);
                function(self.builder.mul(slope, error))
            }
            Unary::Tanh => {
                let slope = self.builder.neg_mul_add(z, z, ONE);
                function(self.pass_on(slope, error, ZERO))
            }
            // |sinh a| is below cosh a.
            Unary::Cosh | Unary::Exp => function(self.pass_on(z, error, ZERO)),
            Unary::Ln => {
                let size = self.size(a);
                function(self.divide(error, size))
            }
            Unary::Sqrt => {
                let twice = self.builder.add(z, z);
                Bound {
                    relative: 1.0,
                    absolute: self.divide(error, twice),
                }
            }
            Unary::Abs | Unary::Sign => Bound::NONE,
        }
    }

    /// The root of |1 + x²| or |1 - x²|, by a multiply-add.
    fn root_of_one(
        &mut self,
        with_one: fn(&mut Builder, Operand, Operand, Operand) -> Operand,
        x: Operand,
    ) -> Operand {
        let square = with_one(&mut self.builder, x, x, ONE);
        let size = self.size(square);
        self.builder.unary(Unary::Sqrt, size)
    }

    /// z = f(a, b), by |df/da| and |df/db|.
    fn bound_binary(&mut self, of: Binary, z: Operand, a: Operand, b: Operand) -> Bound {
        match of {
            Binary::Min => return self.bound_choice(Comparison::LessEqual, [a, b], [a, b]),
            Binary::Max => return self.bound_choice(Comparison::LessEqual, [b, a], [a, b]),
            Binary::Atan2 | Binary::Hypot | Binary::Pow => {}
        }
        let errors = [a, b].map(|x| self.whole_error(x));
        if errors == [ZERO, ZERO] {
            return Bound::relative(FUNCTION);
        }
        let absolute = match of {
            Binary::Atan2 => {
                let by_b = self.pass_on(a, errors[1], ZERO);
                let sum = self.pass_on(b, errors[0], by_b);
                let square = self.builder.mul(a, a);
                let squares = self.builder.mul_add(b, b, square);
                self.divide(sum, squares)
            }
            Binary::Hypot => {
                let by_b = self.pass_on(b, errors[1], ZERO);
                let sum = self.pass_on(a, errors[0], by_b);
                self.divide(sum, z)
            }
            Binary::Pow | Binary::Min | Binary::Max => self.of_power(z, [a, b], errors),
        };
        function(absolute)
    }

    /// The errors of a and b in z = a^b, by |b z / a| and |z ln a|.
    fn of_power(&mut self, z: Operand, [a, b]: [Operand; 2], errors: [Operand; 2]) -> Operand {
        let mut sum = ZERO;
        if errors[0] != ZERO {
            let slope = self.slope(z, a);
            let slope = self.pass_on(b, slope, ZERO);
            sum = self.builder.mul(slope, errors[0]);
        }
        if errors[1] != ZERO {
            let logarithm = self.builder.unary(Unary::Ln, a);
            let slope = self.builder.mul(z, logarithm);
            let slope = self.choose_unless_zero(a, slope);
            sum = self.pass_on(slope, errors[1], sum);
        }
        sum
    }

    /// The value of a curve: by its slope, and by the rounding of the terms of its polynomials.
    ///
    /// Outside of the breaks these are at most the slope times the sizes of x and of the breaks.
    fn bound_curve(&mut self, of: &Piecewise, operands: &[Operand]) -> Bound {
        let Some((x, controls)) = operands.split_first() else {
            return Bound::NONE;
        };
        let [most, most_break] = of.curve.sizes(of.order);
        let mut most = Operand::Constant(CURVE * most);
        let steepness = (2.0 * of.curve.scale()).powi(i32::from(of.order));
        let mut of_controls = ZERO;
        for control in controls {
            most = self.add_scaled_size(CURVE * steepness, *control, most);
            let of_control = self.whole_error(*control);
            of_controls = self.builder.add(of_controls, of_control);
        }
        let of_controls = self.builder.mul(Operand::Constant(steepness), of_controls);
        let of_terms = self.add_scaled_size(CURVE, *x, Operand::Constant(CURVE * most_break));
        let of_x = self.whole_error(*x);
        let error = self.builder.add(of_x, of_terms);
        let slope = self.builder.curve(of.derivative(), operands);
        let of_argument = self.pass_on(slope, error, most);
        Bound {
            relative: 1.0,
            absolute: self.builder.add(of_argument, of_controls),
        }
    }

    /// The bound of the value that a comparison takes.
    fn bound_choice(
        &mut self,
        comparison: Comparison,
        [a, b]: [Operand; 2],
        values: [Operand; 2],
    ) -> Bound {
        let [then, otherwise] = values.map(|x| self.bound(x));
        if then.relative == otherwise.relative && then.absolute == otherwise.absolute {
            return then;
        }
        let [then, otherwise] = values.map(|x| self.whole_error(x));
        Bound {
            relative: 0.0,
            absolute: self.builder.select(comparison, [a, b, then, otherwise]),
        }
    }
}

/// The bound of an elementary function with this error of its arguments.
fn function(absolute: Operand) -> Bound {
    Bound {
        relative: FUNCTION,
        absolute,
    }
}

/// Returns whether a constant is exact in single precision too. A rounded one has more digits.
fn is_short(value: f64) -> bool {
    f64::from(value as f32) == value
}

fn is_power(operand: Operand) -> bool {
    matches!(operand, Operand::Constant(value) if value.to_bits() << 12 == 0)
}
