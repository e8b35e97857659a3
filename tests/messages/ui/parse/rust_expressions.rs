//! mistake: `as`, `%`, `::`, `&`, `"a"`, `{`, `!`, the `1` behind the dot, `|` and `(`, one on each line: no expressions of the language

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = x as f64;
    let b = x % 2;
    let c = f64::sin(x);
    let d = &x;
    let e = "a";
    let f = { x };
    let g = !x;
    let h = [x, m].1;
    let i = |x| x;
    let j = (x, m);
    T = m * der(x)^2 / 2;
}

fn main() {}
