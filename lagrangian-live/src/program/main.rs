//! The program `lagrangian`.

fn main() {}
