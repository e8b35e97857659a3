//! mistake: `solve` and `constraint`, whose methods have generated names; `hand_bias`; the second `tip`

use lagrangian::lagrangian;

lagrangian! {
    struct Cart { x: coordinate, m: parameter }
    pub frame solve = world.translate([x, 0, 0]);
    pub frame constraint = world.translate([x, 0, 0]);
    pub frame hand = world.translate([x, 0, 0]);
    pub frame hand_bias = world.translate([x, 0, 0]);
    pub let hand_rate = x;
    pub let tip = x;
    pub frame tip = hand;
    T = m * der(x)^2 / 2;
}

fn main() {}
