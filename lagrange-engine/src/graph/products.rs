//! Products: like factors merged, and no node longer than [`MOST_FACTORS`].

use super::{Graph, Node};
use crate::codegen::cost_model::MOST_FACTORS;
use crate::{Binary, NodeId, Number, Unary};

/// Exponents stay this far from the ends of their type, so that rules may negate them and add 2.
const MAX_EXPONENT: u32 = i32::MAX as u32 - 2;

impl Graph {
    /// The product of base^exponent.
    pub fn product(&mut self, factors: Vec<(NodeId, i32)>) -> NodeId {
        match self.collect_factors(factors) {
            Some(product) => self.intern_product(product),
            None => self.not_finite(),
        }
    }

    /// The product of these factors, if there is one.
    pub(crate) fn known_product(
        &self,
        factors: impl IntoIterator<Item = (NodeId, i32)>,
    ) -> Option<NodeId> {
        let mut product = Factors::default();
        for (base, exponent) in factors {
            product.push(base, exponent)?;
        }
        self.lookup(&Node::Product(product.powers.into()))
    }

    /// The product with a number; `None` for a factor that is infinite by itself.
    pub(super) fn multiple(
        &mut self,
        number: NodeId,
        coefficient: Number,
        b: NodeId,
    ) -> Option<NodeId> {
        if coefficient.is_one() {
            return Some(b);
        }
        let inner = match self.node(b) {
            Node::Sum { constant, terms } if terms.len() == 1 && constant.is_zero() => terms[0].1,
            _ => b,
        };
        if let Node::Product(factors) = self.node(inner)
            && self.is_zero(factors[0].0)
        {
            return None;
        }
        if coefficient.is_zero() {
            return Some(number);
        }
        Some(self.scale(coefficient, b))
    }

    /// Returns whether a product has nothing to simplify in a factor, except the same factor again.
    pub(super) fn is_bare_factor(&self, id: NodeId) -> bool {
        match self.node(id) {
            Node::Number(_) | Node::Product(_) => false,
            Node::Sum { constant, terms } => terms.len() != 1 || !constant.is_zero(),
            _ => true,
        }
    }

    fn intern_product(&mut self, product: Factors) -> NodeId {
        let Factors {
            coefficient,
            powers,
        } = product;
        let bare = match powers[..] {
            [] => return self.number(coefficient),
            [(base, 1)] => base,
            _ => self.intern(Node::Product(powers.into())),
        };
        self.scale(coefficient, bare)
    }

    /// At most [`MOST_FACTORS`] factors. `None` if a number or an exponent overflows.
    ///
    /// It ends because each round leaves a 32nd of the factors, rounded up. A group is short enough not to be divided
    /// again, so this calls itself once.
    fn collect_factors(&mut self, factors: Vec<(NodeId, i32)>) -> Option<Factors> {
        let mut product = Factors {
            coefficient: Number::ONE,
            powers: Vec::with_capacity(factors.len()),
        };
        let factors = &factors[..];
        let mut position = 0;
        while position < factors.len() {
            self.push_factor(&mut product, factors[position].0, factors[position].1)?;
            position += 1;
        }
        self.settle(&mut product)?;
        while product.powers.len() > MOST_FACTORS {
            let mut grouped = Factors {
                coefficient: product.coefficient,
                powers: Vec::new(),
            };
            for group in product.powers.chunks(MOST_FACTORS) {
                let inner = self.collect_factors(group.to_vec())?;
                let inner = self.intern_product(inner);
                self.push_factor(&mut grouped, inner, 1)?;
            }
            self.settle(&mut grouped)?;
            product = grouped;
        }
        Some(product)
    }

    /// Resolves the cases that merging has made possible: even powers of roots, as in sqrt(x) sqrt(x), and inner
    /// products for which there is space, the earliest first. The remaining factors would give the same result again: a
    /// product that is not too long does not depend on the order of its construction.
    ///
    /// It ends because each round replaces a factor by its parts.
    fn settle(&self, product: &mut Factors) -> Option<()> {
        // Usually there is nothing to resolve.
        let nodes = &self.nodes.all;
        let powers = &product.powers[..];
        let mut position = 0;
        while position < powers.len()
            && powers[position].1 % 2 != 0
            && !matches!(nodes[powers[position].0.0 as usize], Node::Product(_))
        {
            position += 1;
        }
        if position == powers.len() {
            return Some(());
        }
        let is_reducible = |(base, exponent): &(NodeId, i32)| {
            *exponent % 2 == 0 && self.even_power(*base, *exponent).is_some()
        };
        let mut changed: Vec<NodeId> = Vec::new();
        if powers.iter().any(is_reducible) {
            changed.extend(product.powers.iter().map(|(base, _)| *base));
        }
        loop {
            while let Some(base) = changed.pop() {
                let exponent = product.exponent(base);
                if exponent.is_some_and(|exponent| is_reducible(&(base, exponent))) {
                    let exponent = product.remove(base)?;
                    changed.extend(self.push_factor(product, base, exponent)?);
                }
            }
            let Some((inner, exponent)) = self.fitting_product(product) else {
                return Some(());
            };
            for (base, power) in inner {
                product.push(base, power.checked_mul(exponent)?)?;
                changed.push(base);
            }
        }
    }

    /// Removes the first inner product for which there is space.
    #[allow(clippy::type_complexity)] // factors, as everywhere in the constructors
    fn fitting_product(&self, product: &mut Factors) -> Option<(Vec<(NodeId, i32)>, i32)> {
        let room = (MOST_FACTORS + 1).checked_sub(product.powers.len())?;
        let powers = &product.powers[..];
        let mut position = 0;
        while position < powers.len() {
            let (base, exponent) = powers[position];
            match self.node(base) {
                Node::Product(inner) if inner.len() <= room => {
                    let inner = inner.to_vec();
                    product.powers.remove(position);
                    return Some((inner, exponent));
                }
                _ => position += 1,
            }
        }
        None
    }

    /// Multiplies with base^exponent; returns the base whose exponent that changed. `None` on overflow.
    ///
    /// It ends because the next factor is a part of this one.
    fn push_factor(
        &self,
        product: &mut Factors,
        mut base: NodeId,
        mut exponent: i32,
    ) -> Option<Option<NodeId>> {
        if exponent == 0 {
            return Some(None);
        }
        loop {
            if let Some(power) = self.even_power(base, exponent) {
                (base, exponent) = power;
                continue;
            }
            match self.node(base) {
                Node::Number(number) => {
                    product.scale(*number, exponent)?;
                    return Some(None);
                }
                Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                    product.scale(terms[0].0, exponent)?;
                    base = terms[0].1;
                }
                // Only the 0 of 0^-1 stays a factor as a number.
                Node::Product(inner) if self.is_zero(inner[0].0) => return None,
                _ => {
                    product.push(base, exponent)?;
                    return Some(Some(base));
                }
            }
        }
    }

    /// The base and exponent that an even power of a root or absolute value equals.
    fn even_power(&self, base: NodeId, exponent: i32) -> Option<(NodeId, i32)> {
        if exponent % 2 != 0 {
            return None;
        }
        match self.node(base) {
            Node::Unary(Unary::Sqrt, inner) => Some((*inner, exponent / 2)),
            Node::Unary(Unary::Abs, inner) => Some((*inner, exponent)),
            Node::Binary(Binary::Hypot, ..) => Some((*self.squares.get(&base)?, exponent / 2)),
            _ => None,
        }
    }
}

/// A product under construction.
struct Factors {
    coefficient: Number,
    /// Bases in ascending order with their exponents, none of them 0.
    powers: Vec<(NodeId, i32)>,
}

impl Default for Factors {
    fn default() -> Self {
        Self {
            coefficient: Number::ONE,
            powers: Vec::new(),
        }
    }
}

impl Factors {
    /// Multiplies with number^exponent; `None` on overflow.
    fn scale(&mut self, number: Number, exponent: i32) -> Option<()> {
        if number.is_one() {
            return Some(());
        }
        let power = number.powi(exponent)?;
        self.coefficient = self.coefficient.checked_mul(power)?;
        Some(())
    }

    /// The position of a base, or its place for insertion.
    fn place(&self, base: NodeId) -> Result<usize, usize> {
        let powers = &self.powers[..];
        // Factors usually come in order.
        if powers.is_empty() || powers[powers.len() - 1].0.0 < base.0 {
            return Err(powers.len());
        }
        let (mut from, mut to) = (0, powers.len());
        while from < to {
            let middle = (from + to) / 2;
            if powers[middle].0.0 < base.0 {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if powers[from].0 == base {
            Ok(from)
        } else {
            Err(from)
        }
    }

    fn exponent(&self, base: NodeId) -> Option<i32> {
        self.place(base).ok().map(|place| self.powers[place].1)
    }

    fn remove(&mut self, base: NodeId) -> Option<i32> {
        let place = self.place(base).ok()?;
        Some(self.powers.remove(place).1)
    }

    /// Multiplies with base^exponent; `None` if the exponents overflow.
    fn push(&mut self, base: NodeId, exponent: i32) -> Option<()> {
        let place = self.place(base);
        let before = place.map_or(0, |place| self.powers[place].1);
        let exponent = before.checked_add(exponent)?;
        if exponent.unsigned_abs() > MAX_EXPONENT {
            return None;
        }
        match (place, exponent) {
            (Ok(place), 0) => drop(self.powers.remove(place)),
            (Ok(place), _) => self.powers[place].1 = exponent,
            (Err(_), 0) => {}
            (Err(place), _) => self.powers.insert(place, (base, exponent)),
        }
        Some(())
    }
}
