//! mistake: a bundle with a Coriolis matrix that is too long to be generated unasked

use lagrangian::lagrangian;

lagrangian! {
    struct Arm { q: coordinate[16], m, l, a, b: parameter }
    frame mut F = world;
    for i in 0..16 {
        F = F.rotate(z, q[i]);
        body { frame: F, mass: m, at: [l, 0, 0], inertia: diag(a, b, b) }
        F = F.translate([l, 0, 0]).rotate(x, 1);
    }
    bundle control { mass_matrix, coriolis_matrix }
}

fn main() {
    let arm = Arm { m: 1.0, l: 1.0, a: 1.0, b: 1.0 };
    let (q, v) = Default::default();
    let _ = arm.control(&q, &v).coriolis_matrix;
}
