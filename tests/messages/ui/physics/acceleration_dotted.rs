//! mistake: `ẍ` and the `der` of `ẋ`; no expression contains accelerations

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * ẋ^2 / 2;
    pub let a = ẍ;
    pub let b = der(ẋ);
}

fn main() {}
