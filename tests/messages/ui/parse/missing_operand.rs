//! mistake: `;`, `)` and `,`: expected an expression

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    let a = m + ;
    let b = (m * );
    let c = [, m];
    T = m * der(x)^2 / 2;
}

fn main() {}
