//! Arithmetic in the field in which questions are answered.

use prime::{Element, PRIME, Rotation, SQUARES, TURNS, inverse};

// Its results have no public interface.
#[path = "../src/probe/prime.rs"]
mod prime;

/// Elements that have nothing to do with each other.
fn sample() -> impl Iterator<Item = Element> {
    let words = (1_u64..200).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    words.map(|word| Element {
        re: word % PRIME,
        im: if word % 3 == 0 {
            0
        } else {
            word.rotate_left(17) % PRIME
        },
    })
}

/// Its further use in the library.
#[test]
fn powers_are_products() {
    for x in sample() {
        assert_eq!(x.power(3), x * x * x);
        assert!(!x.is_zero() && (x - x).is_zero());
    }
}

fn of(n: u64) -> Element {
    Element::of(n % PRIME)
}

/// Returns whether nothing below the square root divides it, for some bases (Miller and Rabin).
fn is_prime(n: u64) -> bool {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(n)) as u64;
    let power = |base: u64, exponent: u64| {
        let (mut base, mut left, mut result) = (base, exponent, 1);
        while left > 0 {
            if left & 1 == 1 {
                result = times(result, base);
            }
            base = times(base, base);
            left >>= 1;
        }
        result
    };
    let twos = (n - 1).trailing_zeros();
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
        .iter()
        .all(|base| {
            let mut x = power(*base, (n - 1) >> twos);
            let mut holds = x == 1 || x == n - 1;
            for _ in 1..twos {
                x = times(x, x);
                holds |= x == n - 1;
            }
            holds
        })
}

#[test]
fn the_prime_and_the_orders_are_prime() {
    for n in [PRIME, SQUARES, TURNS] {
        assert!(is_prime(n), "{n}");
    }
    assert_eq!(2 * SQUARES + 1, PRIME);
    assert_eq!(120 * TURNS - 1, PRIME);
}

#[test]
fn products_are_remainders() {
    for (a, b) in sample().zip(sample().skip(1)) {
        let wide = u128::from(a.re) * u128::from(b.re) % u128::from(PRIME);
        assert_eq!((of(a.re) * of(b.re)).re, wide as u64);
        assert_eq!(a * (b + a) - a * a, a * b);
        assert_eq!(a + -a, Element::ZERO);
    }
    let largest = of(PRIME - 1);
    assert_eq!(largest * largest, Element::ONE);
}

#[test]
fn inverses_and_roots_are_what_they_are_called() {
    for x in sample() {
        assert_eq!(x * x.inverse().unwrap(), Element::ONE);
        if let Some(root) = x.root() {
            assert_eq!(root * root, x);
        }
        let real = of(x.re);
        let root = real.root().unwrap();
        assert_eq!(root * root, real);
        // The root of a square is one.
        assert!(real.sign() < 0 || root.sign() > 0);
    }
    let with_roots = sample().filter(|x| x.root().is_some()).count();
    assert!(with_roots > sample().count() / 2);
    assert_eq!(Element::ZERO.inverse(), None);
    assert_eq!(inverse(3, 7), Some(5));
}

#[test]
fn squares_are_as_positive_numbers() {
    let small = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47];
    assert!(small.iter().all(|n| of(*n).sign() == 1));
    assert_eq!((-Element::ONE).sign(), -1);
    assert_eq!(Element::ZERO.sign(), 0);
    // sqrt(a) sqrt(b) = sqrt(a b)
    for (a, b) in sample().zip(sample().skip(1)) {
        let (a, b) = (of(a.re) * of(a.re), of(b.re) * of(b.re));
        assert_eq!(
            a.root().unwrap() * b.root().unwrap(),
            (a * b).root().unwrap()
        );
    }
}

#[test]
fn rotations_turn_by_sums_of_angles() {
    let twelfth = Rotation::twelfth_of_pi();
    let is_on_the_circle = |turn: Rotation| {
        assert_eq!(turn.cos * turn.cos + turn.sin * turn.sin, Element::ONE);
    };
    is_on_the_circle(twelfth);
    // 30 degrees have the sine 1/2, 90 degrees the sine 1.
    assert_eq!(twelfth.power(2).sin + twelfth.power(2).sin, Element::ONE);
    assert_eq!(twelfth.power(6).sin, Element::ONE);
    assert_eq!(twelfth.power(24), Rotation::NONE);
    for x in sample() {
        let turn = Rotation::from(x.re);
        is_on_the_circle(turn);
        assert_eq!(turn.then(turn.inverse()), Rotation::NONE);
        assert_eq!(turn.power(TURNS), Rotation::NONE);
        let third = turn.power(inverse(3, TURNS).unwrap());
        assert_eq!(third.then(third).then(third), turn);
    }
}
