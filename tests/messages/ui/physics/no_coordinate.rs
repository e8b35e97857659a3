//! mistake: the name of the struct; it has no coordinate

use lagrangian::lagrangian;

lagrangian! {
    struct Nothing { m: parameter }
    T = m;
}

fn main() {}
