//! mistake: `sinn` and `powl`; with the methods that are meant

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V = x.sinn() + x.powl(2);
}

fn main() {}
