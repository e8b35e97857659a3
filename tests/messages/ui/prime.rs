//! mistake: `x'`; rustc stops at the mark, before the macro is called

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * x'^2 / 2;
}

fn main() {}
