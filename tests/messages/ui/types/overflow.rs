//! mistake: the literal, the exponent, or the operation whose constant is beyond every number

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = 1e999;
    let b = 1e300 * 1e300;
    let c = 10^400;
    let d = x^99999999999;
    let e = exp(1000);
    let f = 1e308 + 1e308;
    let g = 3 * x * 1e200 * 1e200;
    let h = x^1e10;
    T = m * der(x)^2 / 2;
}

fn main() {}
