//! mistake: the name of each output; other systems have methods of these names, which are kept for them

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub let linearize = x;
    pub let project = x;
    pub let velocity = x;
    pub let hamiltonian = x;
    pub let constraint_forces = x;
    pub let solve = x;
    T = m * der(x)^2 / 2;
}

fn main() {}
