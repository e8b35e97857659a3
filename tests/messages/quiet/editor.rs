//! No warning and no clash from the items that editors see, for all names and all places.

#![deny(
    warnings,
    unexpected_cfgs,
    unused,
    nonstandard_style,
    unreachable_pub,
    missing_docs
)]

use lagrangian::lagrangian;

macro_rules! spring {
    ($name:ident, $position:ident, $energy:expr) => {
        lagrangian! {
            /// A mass.
            pub struct $name { $position: coordinate, stiffness: parameter }
            T = der($position)^2;
            V = stiffness * $energy;
        }
    };
}

spring!(First, x, x.powi(2));
spring!(Second, scalar, scalar.sin());

#[allow(non_camel_case_types)]
mod hostile {
    use lagrangian::lagrangian;

    // Names of the items that are generated for them.
    lagrangian! {
        pub(super) struct coordinate { coordinate, system, uses: coordinate, scalar, vector: parameter, input: input }
        let variable = scalar * vector;
        let variable = variable * 2;
        T = variable * (der(coordinate)^2 + der(system)^2 + der(uses)^2);
        Q.uses = input;
        holonomic constraint: coordinate = system;
        body body { mass: scalar, at: [uses, 0] }
    }

    pub(super) fn names(system: &coordinate) -> f64 {
        system.scalar + system.vector
    }
}

pub(super) fn main() {
    lagrangian! {
        struct Inner { r#type, r#fn: coordinate, r#match: parameter, r#loop: input, t: time }
        pub let r#where = r#type;
        pub let behind = r#match * sin(t);
        for i in 0..2 { T += r#match * der([r#type, r#fn][i])^2; }
        Q.r#fn = r#loop;
    }
    let _ = (First::new(1.0), Second::new(1.0), Inner::new(1.0).r#match);
    let _ = hostile::names(&hostile::coordinate::new(1.0, 1.0));
}
