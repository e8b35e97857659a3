//! The scale of common pairs. Any scale is possible, and if all uses of a pair take the same multiple of it, that
//! multiple is free for them. `(2 x + y) / 2` becomes `x + y / 2`, and `-(x - y)` becomes `y - x`.

use super::pairs::{Atom, Term};
use crate::Number;

/// The scales of the uses of a pair.
#[derive(Clone, Copy)]
struct Uses {
    count: usize,
    /// The common size, if there is one.
    size: Option<Number>,
    are_subtracted: bool,
}

/// Scales pairs, the atoms from `first` on, if that leaves fewer terms to scale, and no more minus signs.
pub(super) fn scale_pairs(lists: &mut [Vec<Term>], pairs: &mut [[Term; 2]], first: Atom) {
    let place = |atom: Atom| (atom as usize).checked_sub(first as usize);
    let none = Uses {
        count: 0,
        size: None,
        are_subtracted: true,
    };
    let mut uses = vec![none; pairs.len()];
    for list in lists.iter() {
        let list = &list[..];
        let mut term = 0;
        while term < list.len() {
            if list[term].1 >= first {
                uses[(list[term].1 - first) as usize].add(list[term].0);
            }
            term += 1;
        }
    }
    let mut scales = vec![Number::ONE; pairs.len()];
    // A pair consists of earlier atoms.
    for at in (0..pairs.len()).rev() {
        if let Some((scale, scaled)) = uses[at].scaled(pairs[at]) {
            scales[at] = scale;
            pairs[at] = scaled;
        }
        for (coefficient, atom) in pairs[at] {
            if let Some(inner) = place(atom) {
                uses[inner].add(coefficient);
            }
        }
    }
    if scales.iter().all(|scale| scale.is_one()) {
        return;
    }
    let rescale = |terms: &mut [Term]| {
        let mut at = 0;
        while at < terms.len() {
            let (coefficient, atom) = terms[at];
            if atom >= first {
                terms[at].0 = rescaled(coefficient, scales[(atom - first) as usize]);
            }
            at += 1;
        }
    };
    lists.iter_mut().for_each(|list| rescale(list));
    pairs.iter_mut().for_each(|pair| rescale(pair));
}

/// The rest of a coefficient after its pair takes the scale.
fn rescaled(coefficient: Number, scale: Number) -> Number {
    if scale.is_one() {
        return coefficient;
    }
    let same = coefficient.is_negative() == scale.is_negative();
    let size = if scale.is_sign() {
        coefficient.abs()
    } else {
        Number::ONE
    };
    if same { size } else { -size }
}

impl Uses {
    fn add(&mut self, coefficient: Number) {
        let size = coefficient.abs();
        self.size = match self.size {
            _ if self.count == 0 => Some(size),
            known => known.filter(|known| *known == size),
        };
        self.count += 1;
        self.are_subtracted &= coefficient.is_negative();
    }

    /// The pair at the cheapest scale, and this scale; `None` if it is the present one.
    fn scaled(self, pair: [Term; 2]) -> Option<(Number, [Term; 2])> {
        let by = |scale: Number| {
            let scaled =
                pair.map(|(coefficient, atom)| Some((coefficient.checked_mul(scale)?, atom)));
            let [x, y] = scaled;
            Some([x?, y?])
        };
        let products = |pair: &[Term]| pair.iter().filter(|(c, _)| !c.abs().is_one()).count();
        let size = self.size.filter(|size| !size.is_one());
        let sized = size.and_then(|size| Some((size, by(size)?)));
        let sized = sized.filter(|(_, sized)| products(sized) < products(&pair) + self.count);
        let (size, sized) = sized.unwrap_or((Number::ONE, pair));
        // One of the terms comes first without a minus sign.
        let is_turned = self.are_subtracted && pair[1].0.is_negative();
        if is_turned {
            return Some((-size, sized.map(|(coefficient, atom)| (-coefficient, atom))));
        }
        (!size.is_one()).then_some((size, sized))
    }
}
