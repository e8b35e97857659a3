//! mistake: `-=` and `*=`; energies know `=` and `+=`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    T = m * der(x)^2 / 2;
    V -= m * x;
    D *= 2;
    Q.x -= m;
}

fn main() {}
