//! Points in the plane that hang from each other by rods, in Cartesian coordinates.

/// Declares so many of them, with a constraint for each rod.
macro_rules! rods {
    ($visibility:vis struct $name:ident of $n:literal) => {
        lagrangian::lagrangian! {
            /// Points in the plane that hang from each other by rods.
            #[derive(Clone, Debug)]
            $visibility struct $name {
                x, y: coordinate[$n],
                m: parameter[$n] = 1,
                l: parameter = 1,
                g: parameter = 9.81,
            }

            T = sum(i in 0..$n, m[i] * (der(x[i])^2 + der(y[i])^2) / 2);
            V = sum(i in 0..$n, m[i] * g * y[i]);
            let mut from = [0, 0];
            for i in 0..$n {
                holonomic rod: ([x[i], y[i]] - from)^2 = l^2;
                from = [x[i], y[i]];
            }
        }
    };
}
pub(crate) use rods;
