//! Scissor linkages of any number of stages.

/// Declares pairs of bars that cross, on top of each other, by the places of their centres and their angles: six
/// coordinates and rows of constraints to a stage, but for one.
macro_rules! scissor {
    ($visibility:vis struct $name:ident of $n:literal) => {
        lagrangian::lagrangian! {
            /// A scissor linkage.
            $visibility struct $name {
                p, s: coordinate[$n, 2],
                a, b: coordinate[$n],
                m, l: parameter = 1,
                j: parameter = 1 / 12,
                g: parameter = 9.81,
            }
            for i in 0..$n {
                T += m * der(p[i])^2 / 2 + m * der(s[i])^2 / 2 + j * der(a[i])^2 / 2 + j * der(b[i])^2 / 2;
                V += m * g * (p[i, 1] + s[i, 1]);
                holonomic pin: p[i] = s[i];
            }
            holonomic foot: p[0] - l * [cos(a[0]), sin(a[0])] = [0, 0];
            holonomic slide: s[0, 1] - l * sin(b[0]) = 0;
            for i in 1..$n {
                let left = l * [-cos(b[i - 1]), sin(b[i - 1])];
                let right = l * [cos(a[i - 1]), sin(a[i - 1])];
                holonomic left: s[i - 1] + left = p[i] - l * [cos(a[i]), sin(a[i])];
                holonomic right: p[i - 1] + right = s[i] - l * [-cos(b[i]), sin(b[i])];
            }
        }
    };
}
pub(crate) use scissor;
