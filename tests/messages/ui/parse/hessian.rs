//! mistake: each `#[hessian]` but the first; it asks for the second derivatives of an output

use lagrangian::lagrangian;

lagrangian! {
    struct Cart {
        #[hessian]
        x: coordinate,
        #[hessian]
        m: parameter,
    }
    #[hessian]
    pub let fine = x^2;
    #[hessian]
    #[hessian]
    pub let twice = x^2;
    #[hessian(full)]
    pub let asked = x^2;
    #[hessian]
    let private = x^2;
    #[hessian]
    pub frame hand = world.translate([private, 0, 0]);
    #[hessian]
    T = m * der(x)^2 / 2;
    #[hessian]
    for i in 0..1 { V += i * x; }
}

fn main() {}
