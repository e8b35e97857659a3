//! Programs in Rust that the button "as Rust" of the playground gives: files of `examples/playground/programs`, which the
//! tests of that package compare with the page. Beside each is the acceleration that the page computes.

use std::cell::RefCell;
use std::fmt::Display;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

fn print(value: impl Display) {
    PRINTED.with_borrow_mut(|printed| *printed += &value.to_string());
}

/// The test gets the text that the programs print.
macro_rules! println {
    ("{}", $value:expr) => {
        crate::print($value)
    };
}

macro_rules! programs {
    ($($name:ident)*) => {$(
        mod $name {
            include!(concat!("../examples/playground/programs/", stringify!($name), ".rs"));

            #[test]
            fn prints_the_acceleration_of_the_page() {
                main().unwrap();
                let text = concat!("../examples/playground/programs/", stringify!($name), ".txt");
                crate::compare(include_str!(concat!("../examples/playground/programs/", stringify!($name), ".txt")), text);
            }
        }
    )*};
}

programs! { cart_pole four_bar motor shaken_pendulum t_handle double_pendulum }

/// Compares the numbers of a column, as nalgebra prints it, with those of a line. It prints few digits of some.
fn compare(expected: &str, name: &str) {
    let printed = PRINTED.take();
    let found: Vec<f64> = printed
        .split(|letter: char| letter.is_whitespace() || "┌┐└┘│".contains(letter))
        .filter_map(|word| word.parse().ok())
        .collect();
    let expected: Vec<f64> = expected
        .split(',')
        .map(|number| number.trim().parse().unwrap())
        .collect();
    assert_eq!(found.len(), expected.len(), "{name}: {printed}");
    let most = expected.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-13 * most,
            "{name}: {found} {expected}"
        );
    }
}
