mod acceleration {
    //! mistake: the outer `der`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic drive: der(der(x)) = r;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod constant {
    //! mistake: `sizes`; no coordinate in it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic sizes: r = m;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod contradictory {
    //! mistake: `never`; no state satisfies it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic never: x = x + 1;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod dependent {
    //! mistake: `length`; the same in another form

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic ring: x^2 + y^2 = r^2;
        holonomic length: sqrt(x^2 + y^2) = r;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod derivative_of_holonomic {
    //! mistake: `tangent`; the derivative of `ring`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic ring: x^2 + y^2 = r^2;
        nonholonomic tangent: x * der(x) + y * der(y) = 0;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod dotted_velocity_in_holonomic {
    //! mistake: `ẏ`; use `nonholonomic`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic skate: x = r * ẏ;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod duplicate_name {
    //! mistake: the second `ring`; the names of values are others

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic ring: x^2 + y^2 = r^2;
        let side = x;
        holonomic side: x = y;
        nonholonomic ring: der(x) = y * der(y);
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod holonomic_after_its_derivative {
    //! mistake: `ring`, the later one

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic tangent: x * der(x) + y * der(y) = 0;
        holonomic ring: x^2 + y^2 = r^2;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod input {
    //! mistake: `u` in each constraint

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter, u: input }
        T = m * (der(x)^2 + der(y)^2) / 2 + r;
        holonomic drive: x = u;
        nonholonomic steer: der(y) = u * x;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q, &lagrangian::vector![1.0]);
    }
}

mod loops {
    //! mistake: the name of a constraint of which an iteration contradicts the one before, and of one that is taken

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[5], m: parameter }
        T = m * der(q)^2 / 2;
        for i in 0..3 {
            holonomic same: q[0] + q[1] = i;
            holonomic other: q[2] = q[3];
        }
        holonomic other: q[4] = 0;
    }
}

mod many_mistakes {
    //! mistakes: `der` in `a`, the sides of `b`, `der(x)^2` in `c`, `d`, the name of the second `e`, `g`: one message each

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Linkage {
            x, y, z: coordinate,
            m, r: parameter,
        }
        pub let tip = [x, y, z];
        T = m * der(tip)^2 / 2;
        holonomic a: der(x) = r;
        holonomic b: tip = [x, y];
        nonholonomic c: der(y) = r * der(x)^2;
        holonomic d: r = r;
        holonomic e: x = r * y;
        holonomic e: z = x * y;
        holonomic g: r * x = r^2 * y;
    }

    fn uses() {
        let linkage = Linkage { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![1.0, 2.0, 3.0];
        let _ = linkage.tip(&q);
        let _ = linkage.constraint_jacobian(&q);
    }
}

mod no_inertia {
    //! mistake: `z`; neither its inertia nor a constraint determines it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y, z: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        V = m * z;
        holonomic ring: x^2 + y^2 = r^2;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0, 0.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod not_affine {
    //! mistake: `der(x)^2`, the first term that is not affine in the velocities

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic speed: der(x)^2 + der(y)^2 = r^2;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod not_affine_function {
    //! mistake: `norm(..)`, the smallest part that is not affine

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic speed: r * norm(der([x, y])) + x = 1;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod not_affine_product {
    //! mistake: the product of velocities

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic drive: der(x) + x * der(x) * der(y) = r;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod not_affine_terms {
    //! mistake: `der(x)^2`; one message for the constraint, not one for each term

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y, z: coordinate }
        T = (der(x)^2 + der(y)^2 + der(z)^2) / 2;
        nonholonomic speed: der(x)^2 + der(y)^2 = der(z)^2 + sin(der(x));
    }
}

mod not_affine_through_let {
    //! mistake: `energy` in the constraint

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        let energy = m * der(x)^2 / 2;
        nonholonomic drive: der(y) + energy = 0;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod repeated {
    //! mistake: `circle`, the later of the two; says which one it repeats

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic ring: x^2 + y^2 = r^2;
        holonomic circle: 2 * x^2 = 2 * (r^2 - y^2);
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod shapes {
    //! mistake: both sides, from `[` to `0`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic pin: [x, y] = 0;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod singular_system {
    //! mistake: `Bead`; neither masses nor constraints determine y - z

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y, z: coordinate, m, r: parameter }
        T = m * der(x)^2 / 2;
        V = m * y;
        holonomic sum: y + z = x + r;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0, 0.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod surplus {
    //! mistake: `third`, and not `fourth` again

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic ring: x^2 + y^2 = r^2;
        holonomic second: x = r * y^2;
        holonomic third: x * y = m;
        holonomic fourth: x^3 = y;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod symmetry {
    //! mistake: the symmetry `along`, along which the constraint changes

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, l: parameter }
        T = m * der([x, y])^2 / 2;
        holonomic rod: x^2 + y^2 = l^2;
        symmetry along: x -> 1;
    }
}

mod trivial {
    //! mistake: `same`; both sides are equal

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic same: (x + y)^2 = x^2 + 2 * x * y + y^2;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod trivial_row {
    //! mistake: `pin`; row 1 says nothing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic pin: [x, y] = [r, y];
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod unnamed {
    //! mistake: the `:`; a constraint has a name. It counts nonetheless for what is generated

    use lagrangian::{lagrangian, vector};

    lagrangian! {
        struct Pendulum { x, y: coordinate }
        T = (der(x)^2 + der(y)^2) / 2;
        holonomic: x^2 + y^2 = 1;
    }

    fn uses() {
        let pendulum = Pendulum::<f64>::default();
        let q = vector![0.6, 0.8];
        let _: [f64; 1] = pendulum.constraint_residual(&q).into();
        let _ = pendulum.project(&q, &q).map(|(q, _)| pendulum.constraint_jacobian(&q) * q);
    }
}

mod velocity_in_holonomic {
    //! mistake: the first `der`; use `nonholonomic`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic skate: der(x) = der(y);
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod velocity_through_let_in_holonomic {
    //! mistake: `speed` in the constraint

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        let speed = der(x) + der(y);
        holonomic drive: x * speed = r;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod without_velocities {
    //! mistake: `ring`; it has no velocities: use `holonomic`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic ring: x^2 + y^2 = r^2;
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

mod without_velocities_row {
    //! mistake: `drive`; row 1 has no velocities

    use lagrangian::lagrangian;

    lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        nonholonomic drive: [der(x), y] = [r, r];
    }

    fn uses() {
        let bead = Bead { m: 1.0, r: 2.0 };
        let q = lagrangian::vector![0.0, 2.0];
        let _ = bead.acceleration(&q, &q);
    }
}

fn main() {}
