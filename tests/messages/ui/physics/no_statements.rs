//! mistake: the name of the struct; T is missing

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
}

fn main() {}
