//! Bundles, regressors and symmetries raise no lint, documented or not, public or not.
#![deny(
    warnings,
    missing_docs,
    unused,
    private_interfaces,
    missing_debug_implementations
)]
#![deny(clippy::all, clippy::pedantic)]

use lagrangian::lagrangian;

lagrangian! {
    struct Private { x, y: coordinate, m: parameter }
    T = m * der([x, y])^2 / 2;
    pub let place = [x, y];
    regressor identify { m }
    symmetry turn: x -> -y, y -> x;
    bundle everything { mass_matrix, place, place_jacobian, identify, turn, acceleration_unchecked }
}

/// A module that others see.
pub mod public {
    use lagrangian::lagrangian;

    lagrangian! {
        /// A point.
        #[derive(Clone, Debug)]
        pub struct Public { x, y: coordinate, m: parameter }
        T = m * der([x, y])^2 / 2;
        regressor identify { m }
        symmetry turn: x -> -y, y -> x;
        bundle both_of_them { mass_matrix, bias }
    }

    lagrangian! {
        pub(crate) struct Crate { x: coordinate }
        T = der(x)^2 / 2;
        /// Documented.
        #[allow(deprecated)]
        bundle both { mass_matrix, bias }
    }
}

pub(super) fn main() {
    let zeros = lagrangian::vector![0.0, 0.0];
    let private = Private { m: 1.0 };
    let everything: PrivateEverything = private.everything(&zeros, &zeros, &zeros);
    let copy = everything;
    assert!(format!("{copy:?}").contains("place"));
    let _: public::PublicBothOfThem = public::Public { m: 1.0 }.both_of_them(&zeros, &zeros);
    let crate_system = public::Crate::<f64>::default();
    let one = lagrangian::vector![0.0];
    let _: public::CrateBoth = crate_system.both(&one, &one);
}
