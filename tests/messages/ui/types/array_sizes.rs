//! mistake: the size that is no constant integer above 0, or too large

use lagrangian::lagrangian;

const LINKS: usize = 3;

lagrangian! {
    struct Chain {
        q: coordinate[2],
        a: parameter[LINKS],
        b: parameter[1 / 2, 2],
        c: parameter[1 - 1],
        d: parameter[2, 100_000],
        e: input[200, ],
        f: input[57],
    }
    T = der(q)^2 / 2;
}

fn main() {
    let _ = LINKS;
}
