//! Whatever the facade exports, the user's own things may have the name, and so may a system.

#![allow(dead_code, non_camel_case_types, non_snake_case, unused_macros)]

use ::lagrangian::nalgebra::vector;

macro_rules! check {
    ($system:path) => {{
        let system = <$system>::new();
        let (q, v, u) = (vector![1.0, 1.0], vector![0.0, 0.0], vector![8.0]);
        assert_eq!(system.acceleration(&q, &v, &u), Ok(vector![2.0, 2.0]));
        assert_eq!(system.end_jacobian(&q)[(1, 1)], 2.0);
        assert_eq!(<$system>::COORDINATES, ["x", "y"]);
    }};
}

/// Asserts that a system with outputs, inputs and constraints works beside types, functions, modules and macros of
/// these names, and that systems of these names do, beside all exports too.
macro_rules! exports {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        mod beside_types {
            $(struct $name {})*
            $(fn $name() {})*
            super::system!(Beside);
        }

        mod beside_modules {
            $(mod $name {})*
            super::system!(Beside);
        }

        mod beside_macros {
            $(macro_rules! $name { () => {}; })*
            super::system!(Beside);
        }

        mod beside_exports {
            #[allow(unused_imports)]
            use ::lagrangian::*;
            super::system!(Beside);
        }

        mod systems {
            $(pub(super) mod $name {
                #[allow(unused_imports)]
                use ::lagrangian::*;
                crate::exports::system!($name);
            })*
        }

        #[test]
        fn systems_work() {
            check!(beside_types::Beside);
            check!(beside_modules::Beside);
            check!(beside_macros::Beside);
            check!(beside_exports::Beside);
            $(check!(systems::$name::$name);)*
        }
    };
}

macro_rules! system {
    ($name:ident) => {
        ::lagrangian::lagrangian! {
            #[derive(Clone, Debug)]
            pub(in crate::exports) struct $name { x, y: coordinate, m: parameter = 2, u: input }
            pub let end = [x, m * y];
            T = m * der([x, y])^2 / 2;
            Q.x = u;
            holonomic line: x = y;
            bundle both { mass_matrix, end }
        }
    };
}
use system;

exports! {
    lagrangian ActiveMotion Advance Baumgarte Cast ContactStep Contacts Derivatives Equations Error Event Free FrictionTerms
    Frictional Gradient Impact Joint Linearization Lqr MidpointTerms Mode MomentumDerivatives Motion Pose ReducedLinearization RedundantMotion Resolved Run Stateful Step StepDerivatives
    StepSensitivities System Unchecked
    contact_step dlqr index_of lqr matrix midpoint_step midpoint_step_derivatives nalgebra quaternion quaternion_entries rk4_step rk4_step_derivatives
    rk4_step_unchecked rk4_step_with_states trim vector
}

#[test]
fn no_export_is_left_out() {
    let facade = include_str!("../../src/lib.rs");
    let public = facade.split("pub mod __private").next().unwrap_or_default();
    let lists = public
        .lines()
        .skip_while(|line| !line.starts_with("pub use"));
    let code = lists.filter(|line| !line.starts_with("//"));
    let code = code.collect::<Vec<_>>().join(" ");
    let uses = code.split("pub use ").skip(1).map(|exported| {
        let exported = exported.split(';').next().unwrap_or_default();
        exported.rsplit("::").next().unwrap_or_default()
    });
    let words =
        uses.flat_map(|list| list.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    let names: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(NAMES.contains(&name), "{name}");
    }
}
