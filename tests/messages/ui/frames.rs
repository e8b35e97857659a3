mod immutable_frame {
    //! mistake: `link`, which is not mutable

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        link = link.translate([l, 0, 0]);
        body { frame: link, mass: m }
    }
}

mod many_mistakes {
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

    fn uses() {
        let arm = Arm { m: 1.0, l: 1.0 };
        let _: [f64; 3] = arm.tip(&[0.0, 1.0].into()).into();
    }
}

mod mutable_output {
    //! mistake: `hand`; an output is one frame

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { x: coordinate, m: parameter }
        pub frame mut hand = world.translate([x, 0, 0]);
        hand = hand.translate([0, 1, 0]);
        body { frame: hand, mass: m }
    }

    fn uses() {
        let arm = Arm { m: 1.0 };
        let (q, v) = ([1.0].into(), [2.0].into());
        let _ = (arm.hand(&q), arm.hand_velocity(&q, &v), arm.hand_jacobian(&q), arm.hand_bias(&q, &v));
    }
}

mod output_with_mistake {
    //! mistake: `Elbov`; the methods of the frame are there all the same

    use lagrangian::{Pose, lagrangian, nalgebra::{SMatrix, SVector}};

    lagrangian! {
        struct Arm { t: time, x: coordinate, m: parameter }
        frame Elbow = world.translate([x * t, 0, 0]);
        pub frame hand = Elbov.translate([0, 1, 0]);
        body { frame: Elbow, mass: m }
        pub let height = hand.origin.y;
    }

    fn uses() {
        let arm = Arm { m: 1.0 };
        let (q, v) = ([1.0].into(), [2.0].into());
        let _: Pose<f64> = arm.hand(0.0, &q);
        let _: SVector<f64, 6> = arm.hand_velocity(0.0, &q, &v);
        let _: SMatrix<f64, 6, 1> = arm.hand_jacobian(0.0, &q);
        let _: SVector<f64, 6> = arm.hand_bias(0.0, &q, &v);
        let _: f64 = arm.height_rate(0.0, &q, &v);
    }
}

mod rotation_fields {
    //! mistake: roles, which are rotations for the stub

    use lagrangian::lagrangian;

    lagrangian! {
        struct Turning { x: coordinate, a: rotation[2, 2], b: quaternion, c: rotatoin }
        T = der(x)^2 / 2;
    }

    fn uses() {
        let _: [&str; 13] = Turning::COORDINATES;
        let _: [&str; 10] = Turning::VELOCITIES;
    }
}

mod rotations {
    //! mistake: `many`, each `att` that is no value, `x` and `att` in `rotate`, `1`, the second `der`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Sizes { many: rotation[3], i: parameter[3] }
        body { frame: world.rotate(many), inertia: diag(i) }
    }

    lagrangian! {
        struct Body { att: rotation, x: coordinate, i: parameter[3] }
        frame F = world.rotate(att);
        body { frame: F, inertia: diag(i) }
        T = der(x)^2;
        V = att.x + x^2;
        frame G = world.orient(att);
        frame H = world.rotate(z, att);
        frame K = world.rotate(x);
        D = der(der(att))^2;
        Q.att = 1;
        force [0, 0, 1] at att;
        torque [0, 0, 1] on att;
    }
}

mod rotations_that_do_not_move {
    //! mistake: the rotations `idle` and `att`, two rates of `rod`, and rows of `weld` that are too many

    use lagrangian::lagrangian;

    lagrangian! {
        struct Idle { idle: rotation, x: coordinate }
        T = der(x)^2;
    }

    lagrangian! {
        struct Massless { att: rotation, x: coordinate }
        T = der(x)^2;
        Q.att = [1, 0, 0];
    }

    lagrangian! {
        struct Rod { rod: rotation, i: parameter }
        body { frame: world.rotate(rod), inertia: diag(i, 0, 0) }
    }

    lagrangian! {
        struct Pair { a, b: rotation, i: parameter[3] }
        frame A = world.rotate(a);
        frame B = world.rotate(b);
        body { frame: A, inertia: diag(i) }
        body { frame: B, inertia: diag(i) }
        holonomic weld: A.rotation = B.rotation;
    }

    lagrangian! {
        struct Point { att: rotation, m: parameter }
        body { mass: m, at: world.rotate(att).point([1, 2, 3]) }
    }
}

fn main() {}
