//! mistake: the name of each output; the struct has methods of these names by traits

use lagrangian::lagrangian;

lagrangian! {
    #[derive(Clone, Debug)]
    struct Mass { x: coordinate }
    pub let default = x;
    pub let clone = x;
    pub let fmt = 2 * x;
    pub let new = x;
    T = der(x)^2 / 2;
}

fn main() {
    let mass = Mass::<f64>::default();
    println!("{:?}", mass.clone());
}
