//! mistake: `Link`; a method has one name

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate[2], m: parameter }
    frame mut End = world;
    for i in 0..2 {
        pub frame Link = End.rotate(z, q[i]);
        body link { frame: Link, mass: m, at: [1, 0, 0] }
        End = Link.translate([1, 0, 0]);
    }
}

fn main() {}
