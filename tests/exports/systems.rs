//! The systems in C and in CUDA.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::batches;
use crate::calls::calls;
use crate::compiled::check;
use crate::declared::*;

macro_rules! compared {
    ($($test:ident: $system:ident, $name:literal, $has_time:literal, $value:expr, $parameters:expr, $q:expr;)*) => {$(
        #[test]
        fn $test() {
            let state = state($q);
            let calls = calls(&$value, $has_time, &state);
            check(($name, $name), $system::C99, &$parameters, &calls);
            batches::check($name, $system::CUDA, ($has_time, &$parameters), &calls);
        }
    )*};
}

for_all_systems!(compared);

lagrangian! {
    /// A pendulum on a cart.
    struct Spun { x, angle: coordinate, m, n, l: parameter }
    let bob = [x + l * sin(angle), -l * cos(angle)];
    T = m * der(x)^2 / 2 + n * der(bob)^2 / 2;
    V = 9.81 * n * bob.y + sin(x);
    export cuda { acceleration, solve }
}

/// Angles for which a device calls the library's functions.
#[test]
fn large_angles() {
    let spun = Spun {
        m: 1.0,
        n: 0.5,
        l: 2.0,
    };
    let turned = state(vector![0.3, 1_048_576.0]);
    let calls = calls(&spun, false, &turned);
    batches::check("spun", Spun::<f64>::CUDA, (false, &[1.0, 0.5, 2.0]), &calls);
}

/// The errors have their numbers, and results stay as they were.
#[test]
fn errors() {
    let singular = CartPole {
        m_c: 0.0,
        m_p: 0.0,
        l: 0.7,
        g: 9.81,
    };
    let still = state(vector![0.4, 0.9]);
    check(
        ("cart_pole", "cart_pole_singular"),
        CartPole::C99,
        &[0.0, 0.0, 0.7, 9.81],
        &calls(&singular, false, &still)[4..],
    );
    let sound = CartPole {
        m_c: 1.0,
        m_p: 0.3,
        l: 0.7,
        g: 9.81,
    };
    let lost = state(vector![0.4, f64::NAN]);
    check(
        ("cart_pole", "cart_pole_lost"),
        CartPole::C99,
        &[1.0, 0.3, 0.7, 9.81],
        &calls(&sound, false, &lost)[4..],
    );
    let dependent = Rod {
        m: 1.0,
        n: 2.0,
        l: 0.0,
        g: 9.81,
    };
    let collapsed = state(vector![0.5, 0.5, 0.5, 0.5]);
    check(
        ("rod", "rod_collapsed"),
        Rod::C99,
        &[1.0, 2.0, 0.0, 9.81],
        &calls(&dependent, false, &collapsed)[4..],
    );
}
