// One program for each kind of message about units.

mod a_unit_that_is_not_one {
    lagrangian::lagrangian! {
        pub struct S { x: coordinate [m], m: parameter [kilo] }
        T = m * der(x)^2 / 2;
    }
}

mod units_that_do_not_agree {
    lagrangian::lagrangian! {
        pub struct S { x: coordinate [m], m_1, m_2: parameter [kg], l: parameter [m] }
        T = (m_1 + m_2 * l) * der(x)^2 / 2;
    }
}

fn main() {}
