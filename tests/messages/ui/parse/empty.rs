//! mistake: the invocation; expected `struct`

use lagrangian::lagrangian;

lagrangian! {}

fn main() {}
