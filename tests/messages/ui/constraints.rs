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

fn main() {}
