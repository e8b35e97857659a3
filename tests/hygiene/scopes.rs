//! Places of the call: without a prelude, among hostile names, inside functions.

use lagrangian::nalgebra::vector;

#[no_implicit_prelude]
mod without_prelude {
    ::lagrangian::lagrangian! {
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
        pub(crate) struct Spring {
            t: time,
            x: coordinate,
            m, k: parameter = 2,
            u: input,
        }

        pub let stretch = [x, 2 * x];
        regressor identify { m }
        bundle all { mass_matrix, stretch, identify, acceleration_unchecked }
        T = m * der(x)^2 / 2;
        V = if x > 0 { k * x^2 / 2 } else { 0 };
        D = abs(sin(t)) * der(x)^2 / 2;
        Q.x = u;
    }

    ::lagrangian::lagrangian! {
        pub(crate) struct Lens {
            x, y: coordinate,
        }

        L = sqrt(1 + der(x)^2 + der(y)^2);
    }
}

#[test]
fn without_the_prelude() {
    let spring = without_prelude::Spring::default();
    let a = spring.acceleration(0.0, &vector![3.0], &vector![0.0], &vector![2.0]);
    assert_eq!(a, Ok(vector![-2.0]));
    let zero = vector![0.0];
    let all: without_prelude::SpringAll =
        spring.all(0.0, &vector![3.0], &zero, &vector![2.0], &zero);
    assert_eq!(all.acceleration_unchecked, vector![-2.0]);
    let lens = without_prelude::Lens::default();
    let a = lens.acceleration(&vector![0.0, 0.0], &vector![0.5, 0.5]);
    assert_eq!(a.map(|a| a.amax() < 1e-15), Ok(true));
}

/// Items in scope with the names that generated code needs.
#[allow(dead_code, non_camel_case_types, non_snake_case, unused_macros)]
mod shadowed {
    mod alloc {}
    mod core {}
    mod lagrange_runtime {}
    mod lagrangian {}
    mod nalgebra {}
    mod num_traits {}
    mod std {}

    struct bool;
    struct f64;
    struct str;
    struct u32;
    struct usize;

    struct Add;
    struct Clone;
    struct Copy;
    struct Default;
    struct Equations;
    struct Error;
    struct From;
    struct Linearization;
    struct Mul;
    struct Motion;
    struct Neg;
    struct Option;
    struct PhantomData;
    struct RealField;
    struct Result;
    struct S;
    struct SMatrix;
    struct SVector;
    struct Self_;
    struct SimdRealField;
    struct Sub;
    struct System;
    struct Vec;

    fn Err() {}
    fn None() {}
    fn Ok() {}
    fn Some() {}

    // Macros that no call fits.
    macro_rules! assert {
        (never) => {};
    }
    macro_rules! cfg {
        (never) => {};
    }
    macro_rules! concat {
        (never) => {};
    }
    macro_rules! debug_assert {
        (never) => {};
    }
    macro_rules! matches {
        (never) => {};
    }
    macro_rules! panic {
        (never) => {};
    }
    macro_rules! stringify {
        (never) => {};
    }
    macro_rules! unreachable {
        (never) => {};
    }
    macro_rules! vec {
        (never) => {};
    }

    /// A trait whose methods compete with those of numbers and matrices.
    trait Noise: Sized {
        fn abs(self) {}
        fn add(self) {}
        fn cos(self) {}
        fn div(self) {}
        fn into(self) {}
        fn is_finite(&self) {}
        fn iter(self) {}
        fn mul(self) {}
        fn neg(self) {}
        fn recip(self) {}
        fn sin(self) {}
        fn sin_cos(self) {}
        fn sqrt(self) {}
        fn sub(self) {}
        fn zero() {}
    }
    impl<T> Noise for T {}

    ::lagrangian::lagrangian! {
        pub(crate) struct CartPole {
            x, theta: coordinate,
            m_c, m_p, l: parameter,
            g: parameter = 10,
            u: input,
        }

        pub let bob = [x + l * sin(theta), l * cos(theta)];
        pub let frame = [[cos(theta), sin(theta)], [-sin(theta), cos(theta)]];

        T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
        V = m_p * g * bob.y;
        D = sqrt(1 + der(x)^2) + abs(der(theta));
        Q.x = u + if x > 1 { exp(x) } else { 0 };
        bundle S { bob, frame, acceleration_unchecked, kinetic_energy }
    }

    ::lagrangian::lagrangian! {
        pub(crate) struct Charged {
            x, y: coordinate,
            b: parameter = 1,
        }

        L = (der(x)^2 + der(y)^2) / 2 + b * x * der(y);
    }
}

#[test]
fn among_hostile_names() {
    let system = shadowed::CartPole {
        m_c: 1.0,
        m_p: 0.5,
        l: 2.0,
        g: 10.0,
    };
    let (q, v) = (vector![0.0, 0.0], vector![0.0, 0.0]);
    let a = system.acceleration(&q, &v, &vector![3.0]).unwrap();
    assert!((a - vector![3.0, -1.5]).amax() < 1e-15);
    let charged = shadowed::Charged::default();
    let a = charged.acceleration(&vector![0.3, 0.4], &vector![1.0, 2.0]);
    assert_eq!(a, Ok(vector![2.0, -1.0]));
}

#[test]
fn inside_functions() {
    fn slow() -> f64 {
        lagrangian::lagrangian! {
            struct Local {
                x: coordinate,
                m: parameter = 2,
            }

            T = m * der(x)^2 / 2;
            V = x;
        }
        let system = Local::default();
        system.acceleration(&vector![0.0], &vector![0.0]).unwrap()[0]
    }

    fn fast() -> f64 {
        use lagrangian::lagrangian as system;
        system! {
            struct Local {
                x: coordinate,
            }

            T = der(x)^2 / 2;
            V = x;
        }
        let system = Local::default();
        system.acceleration(&vector![0.0], &vector![0.0]).unwrap()[0]
    }

    assert_eq!([slow(), fast()], [-0.5, -1.0]);
}

/// Two systems of one module, and one in a block of another.
mod several {
    use lagrangian::lagrangian;

    lagrangian! {
        pub(super) struct First { x: coordinate }
        T = der(x)^2 / 2;
    }

    lagrangian! {
        pub(super) struct Second { x, y: coordinate }
        T = der(x)^2 / 2 + der(y)^2;
    }

    pub(super) const NAMES: ([&str; 1], [&str; 2]) = {
        lagrangian! {
            struct Third { z: coordinate }
            T = der(z)^2 / 2;
        }
        (Third::COORDINATES, Second::COORDINATES)
    };
}

#[test]
fn several_in_one_module() {
    assert_eq!(several::First::COORDINATES, ["x"]);
    assert_eq!(several::Second::COORDINATES, ["x", "y"]);
    assert_eq!(several::NAMES, (["z"], ["x", "y"]));
}

/// One name for two systems, of which one is there.
mod conditional {
    lagrangian::lagrangian! {
        #[cfg(any())]
        pub(super) struct Either { x: coordinate, m: parameter }
        T = m * der(x)^2;
    }

    lagrangian::lagrangian! {
        #[cfg(not(any()))]
        pub(super) struct Either { x, y: coordinate, k: parameter }
        T = k * (der(x)^2 + der(y)^2) / 2;
    }
}

#[test]
fn a_system_that_is_not_there_leaves_its_name() {
    assert_eq!(
        conditional::Either::new(2.0).mass_matrix(&vector![0.0, 0.0])[3],
        2.0
    );
}

/// The name of a system goes wherever that of a struct goes.
#[allow(unreachable_pub, unused_imports)]
mod exported {
    lagrangian::lagrangian! {
        pub struct Slider { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }

    pub mod prelude {
        pub use super::Slider;
        pub use super::Slider as Renamed;
    }

    pub mod all {
        pub use super::*;
    }

    pub mod beside {
        pub use super::super::exported::{Slider, Slider as Other};

        lagrangian::lagrangian! {
            pub struct Wagon { x: coordinate }
            T = der(x)^2 / 2;
        }
    }
}

#[test]
fn systems_are_exported_like_structs() {
    use exported::Slider;
    use exported::prelude::Renamed;

    let m = |slider: &Slider| slider.mass_matrix(&vector![0.0])[0];
    assert_eq!(m(&exported::all::Slider::new(2.0)), 2.0);
    assert_eq!(m(&Renamed { m: 3.0 }), 3.0);
    assert_eq!(m(&exported::beside::Other::new(4.0)), 4.0);
    assert_eq!(m(&exported::prelude::Slider::new(4.0)), 4.0);
    assert_eq!(exported::beside::Wagon::COORDINATES, ["x"]);
}
