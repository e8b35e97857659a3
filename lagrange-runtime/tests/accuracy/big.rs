//! Numbers of 1,500 bits, and linear equations solved with them.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

const BITS: u64 = 1500;

/// `mantissa 2^exponent`, rounded towards zero to 1,500 bits after each operation.
#[derive(Clone, Debug)]
pub(crate) struct Big {
    mantissa: BigInt,
    exponent: i64,
}

impl Big {
    pub(crate) fn zero() -> Self {
        Big::new(BigInt::from(0), 0)
    }

    fn new(mantissa: BigInt, exponent: i64) -> Self {
        let surplus = mantissa.bits().saturating_sub(BITS);
        Big {
            mantissa: mantissa >> surplus,
            exponent: exponent + surplus as i64,
        }
    }

    /// Exactly this number.
    pub(crate) fn from(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.to_bits();
        let field = ((bits >> 52) & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let (mantissa, exponent) = match field {
            0 => (fraction, -1074),
            _ => (fraction | (1 << 52), field - 1075),
        };
        let mantissa = BigInt::from(if x < 0.0 { -mantissa } else { mantissa });
        Big::new(mantissa, exponent)
    }

    fn is_zero(&self) -> bool {
        self.mantissa.sign() == Sign::NoSign
    }

    /// log2 of the absolute value, roughly.
    fn size(&self) -> i64 {
        self.mantissa.bits() as i64 + self.exponent
    }

    pub(crate) fn abs(&self) -> Self {
        Big {
            mantissa: BigInt::from(self.mantissa.magnitude().clone()),
            exponent: self.exponent,
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other } else { self }.clone();
        }
        let (high, low) = if self.size() >= other.size() {
            (self, other)
        } else {
            (other, self)
        };
        if high.size() - low.size() > 2 * BITS as i64 {
            return high.clone();
        }
        let exponent = high.exponent.min(low.exponent);
        let shifted = |x: &Big| &x.mantissa << (x.exponent - exponent) as u64;
        Big::new(shifted(high) + shifted(low), exponent)
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        let negative = Big {
            mantissa: -&other.mantissa,
            exponent: other.exponent,
        };
        self.add(&negative)
    }

    pub(crate) fn mul(&self, other: &Self) -> Self {
        Big::new(
            &self.mantissa * &other.mantissa,
            self.exponent + other.exponent,
        )
    }

    fn div(&self, other: &Self) -> Self {
        let shift = BITS + other.mantissa.bits();
        Big::new(
            (&self.mantissa << shift) / &other.mantissa,
            self.exponent - other.exponent - shift as i64,
        )
    }

    pub(crate) fn max(self, other: Self) -> Self {
        if self.sub(&other).mantissa.sign() == Sign::Minus {
            other
        } else {
            self
        }
    }

    /// The quotient of two numbers as a float; of zeros 0.
    pub(crate) fn ratio(&self, other: &Self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        if other.is_zero() {
            return f64::INFINITY;
        }
        let quotient = self.div(other);
        let surplus = quotient.mantissa.bits().saturating_sub(53);
        let (_, digits) = (&quotient.mantissa >> surplus).to_u64_digits();
        let exponent = quotient.exponent + surplus as i64;
        digits.first().map_or(0.0, |&top| top as f64)
            * 2.0_f64.powi(exponent.clamp(-2000, 1000) as i32)
    }
}

/// `K⁻¹ columns`, by elimination of rows and columns scaled to about 1, with complete pivoting. `None` if
/// singular.
pub(crate) fn solve(k: &[Vec<Big>], columns: &[Vec<Big>]) -> Option<Vec<Vec<Big>>> {
    let n = k.len();
    let mut rows: Vec<Vec<Big>> = k.to_vec();
    for (row, entries) in rows.iter_mut().enumerate() {
        entries.extend(columns.iter().map(|column| column[row].clone()));
    }
    let mut order: Vec<usize> = (0..n).collect();
    for step in 0..n {
        let candidates = (step..n).flat_map(|i| (step..n).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| -> i64 {
            let entry: &Big = &rows[i][j];
            if entry.is_zero() {
                i64::MIN
            } else {
                entry.size()
            }
        };
        let (i, j) = candidates.max_by(|a, b| size(a).cmp(&size(b)).then(Ordering::Equal))?;
        if rows[i][j].is_zero() {
            return None;
        }
        rows.swap(step, i);
        rows.iter_mut().for_each(|row| row.swap(step, j));
        order.swap(step, j);
        let pivot = rows[step].clone();
        for (row, entries) in rows.iter_mut().enumerate() {
            if row == step || entries[step].is_zero() {
                continue;
            }
            let factor = entries[step].div(&pivot[step]);
            for column in step..n + columns.len() {
                if !pivot[column].is_zero() {
                    entries[column] = entries[column].sub(&factor.mul(&pivot[column]));
                }
            }
        }
    }
    let mut solutions = vec![vec![Big::zero(); n]; columns.len()];
    for (step, &place) in order.iter().enumerate() {
        for (column, solution) in solutions.iter_mut().enumerate() {
            solution[place] = rows[step][n + column].div(&rows[step][step]);
        }
    }
    Some(solutions)
}
