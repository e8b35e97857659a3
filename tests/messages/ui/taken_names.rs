//! mistake: the name of each struct, which is taken; rustc says so, and once that the other type is none of the system's

mod an_imported_trait {
    use lagrangian::{System, lagrangian};

    lagrangian! {
        pub struct System { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.x = u;
        holonomic line: x = 1;
        pub let end = 2 * x;
    }
}

mod an_imported_enum {
    use lagrangian::{Error, lagrangian};

    lagrangian! {
        pub struct Error { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod an_own_type {
    use lagrangian::lagrangian;

    pub struct Motion;

    lagrangian! {
        pub struct Motion { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

fn main() {}
