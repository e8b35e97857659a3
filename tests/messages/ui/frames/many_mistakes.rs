//! mistake: `rotat`, `t`, `foo`, `lonk` and `u`, each once; `link` and `other` are silent

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q, p: coordinate, m, l: parameter, u: input }
    frame link = world.rotat(y, q);
    frame other = link.rotate(x, p);
    body rod { frame: other, mass: foo, t: [l, 0, 0] }
    torque [0, 0, u] on lonk;
    gravity [0, u, 0];
    pub let tip = other.point([l, 0, 0]);
}

fn main() {
    let arm = Arm { m: 1.0, l: 1.0 };
    let _: [f64; 3] = arm.tip(&[0.0, 1.0].into()).into();
}
