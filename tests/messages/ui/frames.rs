mod argument_count {
    //! mistake: the surplus argument, and where one is missing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q, q);
        frame other = world.translate();
        body { frame: world, mass: m, at: [q, l, 0] }
    }
}

mod before_declaration {
    //! mistake: `link`, used above its declaration

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        body { frame: link, mass: m, at: [l, 0, 0] }
        frame link = world.rotate(z, q);
    }
}

mod block_fields {
    //! mistake: `mas`, the second `at`, and `stiffness`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, k, l: parameter }
        body rod { mas: m, at: [q, 0, 0] }
        body bob { mass: m, at: [q, 0, 0], at: [l, 0, 0] }
        spring { stiffness: k, from: [q, 0], to: [0, 0] }
    }
}

mod body_after_lagrangian {
    //! mistake: `body` after `L`, once

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, k: parameter }
        L = m * der(q)^2;
        body { mass: m, at: [q, 0] }
        spring { k, from: [q, 0], to: [0, 0] }
    }
}

mod duplicate_names {
    //! mistake: the second body `rod` and the second frame `link`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        frame link = world.rotate(x, q);
        body rod { frame: link, mass: m, at: [l, 0, 0] }
        body rod { frame: link, mass: m, at: [0, l, 0] }
    }
}

mod frame_as_value {
    //! mistake: the frames `link` and `world`, which are no values

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        body { frame: link, mass: m, at: [l, 0, 0] }
        pub let tip = link + [l, 0, 0];
        let rest = world;
        pub let axis = dot(rest, tip);
    }
}

mod frame_in_let {
    //! mistake: the frame that a `let` names

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        let link = world.rotate(z, q);
        body { frame: link, mass: m, at: [l, 0, 0] }
    }
}

mod gravity_shape {
    //! mistake: the position that has another shape than gravity

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, g: parameter }
        gravity [0, 0, -g];
        body { mass: m, at: [q, q^2] }
    }
}

mod gravity_twice {
    //! mistake: the second `gravity`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, g: parameter }
        gravity [0, -g];
        body { mass: m, at: [q, q^2] }
        gravity [0, -g];
    }
}

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

mod input_in_pose {
    //! mistake: the input `u` in the pose

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter, u: input }
        frame link = world.rotate(z, q).translate([u, 0, 0]);
        body { frame: link, mass: m, at: [l, 0, 0] }
    }
}

mod lagrangian_after_body {
    //! mistake: `L` after the body

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m: parameter }
        body { mass: m, at: [q, 0] }
        L = m * der(q)^2;
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

mod missing_fields {
    //! mistake: the keywords of blocks that lack `k`, `to` and `c`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, k, l: parameter }
        body { mass: m, at: [q, 0] }
        spring { from: [q, 0], to: [l, 0] }
        spring { k, from: [q, 0] }
        damper { from: [q, 0], to: [l, 0] }
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

mod output_in_loop {
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

mod unknown_axis {
    //! mistake: `w`, which is no axis

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(w, q);
        body { frame: link, mass: m, at: [l, 0, 0] }
    }
}

mod unknown_frame {
    //! mistake: `lnk` for `link`, twice

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        body { frame: lnk, mass: m, at: [l, 0, 0] }
        pub let tip = lnk.point([l, 0, 0]);
    }
}

mod unknown_method {
    //! mistake: `rotated`, `pont` and `orign`, which frames do not have

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        frame other = link.rotated(x, q);
        body { frame: other, mass: m, at: [l, 0, 0] }
        pub let tip = link.pont([l, 0, 0]);
        pub let joint = link.orign;
    }
}

mod value_as_frame {
    //! mistake: `q`, `p` and the vector `link.origin`, which are no frames

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate(z, q);
        let p = [l, 0, 0];
        body { frame: q, mass: m, at: p }
        torque [0, 0, l] on p;
        frame tip = link.origin;
        pub let end = tip.point(p);
    }
}

mod vectors_of_space {
    //! mistake: each vector that has not three entries, the angle, and the orientation

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame a = world.rotate([1, 0], q);
        frame b = world.rotate(z, [q, 0, 0]);
        frame c = world.translate([q, l]);
        frame d = world.orient([q, 0, 0]);
        frame link = world.rotate(z, q);
        body { frame: link, mass: m, at: [l, 0] }
        body { frame: link, mass: m, at: [l, 0, 0], inertia: diag(m, m) }
        torque q on link;
        gravity l;
        pub let tip = link.point([l, 0]);
    }
}

mod velocity_in_body {
    //! mistake: the velocities in a mass, a position, an inertia, and ends

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, k: parameter }
        body { mass: m * der(q), at: [q, 0] }
        body { mass: m, at: [der(q), 0] }
        body { inertia: diag(m, m, der(q)) }
        spring { k: k * der(q), from: [q, 0], to: [0, 0] }
        damper { c: k * der(q), from: [der(q), 0], to: [0, 0] }
    }
}

mod velocity_in_pose {
    //! mistake: `der` and the dotted name in the poses

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q, p: coordinate, m, l: parameter }
        frame link = world.rotate(z, der(q)).translate([l, 0, 0]).rotate(x, ṗ);
        body { frame: link, mass: m, at: [l, 0, 0] }
    }
}

mod zero_axis {
    //! mistake: the axis without a direction

    use lagrangian::lagrangian;

    lagrangian! {
        struct Arm { q: coordinate, m, l: parameter }
        frame link = world.rotate([0, 0, 0], q);
        body { frame: link, mass: m, at: [l, 0, 0] }
    }
}

fn main() {}
