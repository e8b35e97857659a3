//! errors: `rotte`, `mas`, `stifness`, `der` of `u` and `x_dot`; every use of what they touch is silent

use lagrangian::lagrangian;
use lagrangian::vector;

lagrangian! {
    #[derive(Clone, Debug)]
    struct Arm { x, a: coordinate, m, stiffness: parameter, u: input }
    frame Base = world.translate([x, 0, 0]);
    pub frame Hand = Base.rotte(z, a);
    body hand { frame: Hand, mas: m, at: [1, 0, 0] }
    T = m * (der(x)^2 + der(a)^2) / 2;
    for i in 0..2 {
        V += stifness * x^2 / 2;
    }
    Q.x = u + der(u);
    pub let tip = Hand.point([1, 0, 0]);
    pub let power = u * x_dot;
    holonomic wall: tip.x = 0;
    bundle control { mass_matrix, Hand, tip_jacobian, power, power_derivatives }
}

impl Arm<f64> {
    fn names() -> [&'static str; 2] {
        Self::COORDINATES
    }
}

fn main() {
    let arm = Arm { m: 1.0, stiffness: 2.0 };
    let (q, v, u) = (vector![0.0, 0.0], vector![0.0, 0.0], vector![0.0]);
    let pose = arm.Hand(&q);
    let _ = (pose.origin, arm.Hand_velocity(&q, &v), arm.Hand_jacobian(&q));
    let _ = (arm.power(&q, &v, &u), arm.power_derivatives(&q, &v, &u).u);
    let _ = arm.control(&q, &v, &u).mass_matrix;
    let _ = arm.solve(&q, &v, &u).map(|motion| motion.multipliers);
    let _ = (arm.constraint_residual(&q), Arm::names(), Arm::new(1.0, 2.0));
}
