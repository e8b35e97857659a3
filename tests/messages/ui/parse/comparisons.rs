//! mistake: `<` of the `let`, the second `<` of a chain, `&&`, `=` in a condition: comparisons stand in conditions, one in each

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = x < m;
    let b = if 0 < x < m { 1 } else { 2 };
    let c = if 0 < x && x < m { 1 } else { 2 };
    let d = if x = m { 1 } else { 2 };
    let e = if x { 1 } else { 2 };
    T = m * der(x)^2 / 2;
}

fn main() {}
