//! Planar pendulums of any number of links.

/// Declares a pendulum whose links hang from each other, each with a mass at its end. The angles are
/// from straight down; per link the names of its angle, mass and length.
macro_rules! pendulum_chain {
    ($visibility:vis struct $name:ident { $($q:ident $m:ident $l:ident),+ $(,)? }) => {
        lagrangian::lagrangian! {
            /// A planar pendulum of several links.
            #[derive(Clone, Copy, Debug)]
            $visibility struct $name {
                /// Angle of a link from straight down [rad].
                $($q: coordinate,)+
                /// Mass at the end of a link [kg].
                $($m: parameter = 1,)+
                /// Length of a link [m].
                $($l: parameter = 1,)+
                /// Gravity [m/s^2].
                g: parameter = 9.81,
            }

            let mut x = 0;
            let mut y = 0;
            $(
                x += $l * sin($q);
                y -= $l * cos($q);
                T += $m * der([x, y])^2 / 2;
                V += $m * g * y;
            )+
        }
    };
}
pub(crate) use pendulum_chain;
