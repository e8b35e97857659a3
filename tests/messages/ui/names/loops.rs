//! mistake: the loop variable that has the name of something else, or is used or assigned where it may
//! not be; the name that ended with its loop; the output in a loop

use lagrangian::lagrangian;

lagrangian! {
    struct Chain { q: coordinate[3], m: parameter }
    T = m * der(q)^2 / 2;
    for m in 0..3 { V += q[m]; }
    for i in 0..3 {
        for i in 0..3 { V += q[i]; }
        let height = q[i];
        pub let width = q[i];
        i = 2;
        V += height + nothing;
    }
    D = i * der(q[0])^2 + height;
}

fn main() {}
