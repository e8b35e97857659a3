mod bundle_fallible_method {
    //! mistake: `solve` in the bundle; it may fail

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle control { mass_matrix, solve }
    }

    fn uses() {
        // The method exists, so that its uses are silent.
        let pole = Pole { m: 1.0, l: 1.0 };
        let zeros = lagrangian::vector![0.0, 0.0];
        let input = lagrangian::vector![0.0];
        let control: PoleControl = pole.control(&zeros, &zeros, &input);
        let _ = control.mass_matrix;
    }
}

mod energies_read {
    //! mistake: `T`, `V`, `D` and `Q`; they cannot be read

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * x + D;
        D = Q;
        pub let total = T + V;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.total(&Default::default());
    }
}

mod function_as_name {
    //! mistake: `sin` and `der`; functions have arguments

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * sin + der;
    }
}

mod macro_of_the_name {
    //! mistake: the name of the system, which a macro in sight has

    use lagrangian::lagrangian;

    macro_rules! Cart {
        () => {};
    }

    lagrangian! {
        struct Cart { x: coordinate }
        T = der(x)^2 / 2;
    }

    Cart!();
}

mod many_mistakes {
    //! mistakes: `coord`, the second `k`, `lenght`, `cosine`, `pi` of the `let`, `total` before its `let`, `y` of `Q.y`, `energy`: one message each

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Pendulum {
            theta: coordinate,
            x: coord,
            m, length, k, k: parameter,
            u: input,
        }
        pub let bob = [lenght * sin(theta), length * cosine(theta)];
        let pi = 3;
        pub let energy = k * pi;
        T = m * der(bob)^2 / 2 + m * der(x)^2 / 2;
        V = m * bob.y + total;
        let total = bob.x;
        Q.y = u;
    }

    fn uses() {
        let pendulum = Pendulum { m: 1.0, length: 2.0, k: 3.0 };
        let _ = pendulum.bob(&Default::default());
        let _ = Pendulum::<f64>::PARAMETERS;
    }
}

mod parameter_called {
    //! mistake: `m` before the parenthesis; a product is written with `*`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m (der(x)^2) / 2;
    }
}

mod two_systems {
    //! mistake: the second struct, and nothing of what is generated for it

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }

    lagrangian! {
        pub(crate) struct Cart { x, y: coordinate, t: time, m: parameter[2], k: parameter = 1, u: input }
        pub let place = x * t;
        T = m[0] * der(x)^2 / 2 + m[1] * der(y)^2 / 2;
        Q.x = k * u;
        holonomic guide: x = y;
    }

    lagrangian! {
        struct Twin { x: coordinate }
        T = der(x)^2 / 2;
        bundle both { momenta, energy }
    }

    lagrangian! {
        struct Twin { x: coordinate }
        T = der(x)^2 / 2;
        bundle both { momenta, energy }
    }

    // One of the same name elsewhere is another one.
    mod elsewhere {
        lagrangian::lagrangian! {
            pub struct Cart { x: coordinate, k: parameter }
            T = k * der(x)^2 / 2;
        }
    }

    fn uses() {
        let q = [1.0].into();
        let energy = Cart::new(1.0).kinetic_energy(&q, &q) + elsewhere::Cart::new(1.0).kinetic_energy(&q, &q);
        lagrangian! {
            struct Cart { x: coordinate, z: parameter }
            T = z * der(x)^2 / 2;
        }
        let _: f64 = energy + Cart::new(1.0).kinetic_energy(&q, &q);
    }
}

mod unknown_statement {
    //! mistake: `forse` and `dampr`; with the statements that are meant

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        forse [u, 0] at [x, 0];
        dampr { c: 1, from: [0, 0], to: [x, 0] }
    }
}

mod used_after_mistakes {
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

    fn uses() {
        let arm = Arm { m: 1.0, stiffness: 2.0 };
        let (q, v, u) = (vector![0.0, 0.0], vector![0.0, 0.0], vector![0.0]);
        let pose = arm.Hand(&q);
        let _ = (pose.origin, arm.Hand_velocity(&q, &v), arm.Hand_jacobian(&q));
        let _ = (arm.power(&q, &v, &u), arm.power_derivatives(&q, &v, &u).u);
        let _ = arm.control(&q, &v, &u).mass_matrix;
        let _ = arm.solve(&q, &v, &u).map(|motion| motion.multipliers);
        let _ = (arm.constraint_residual(&q), Arm::names(), Arm::new(1.0, 2.0));
    }
}

mod functions {
    //! mistake: the call of `factorial` in its own body, the surplus argument of `square`, the `T` that is an argument

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let factorial(n) = if n > 1 { n * factorial(n - 1) } else { 1 };
        let square(s) = s^2;
        let scaled(T) = 2 * x;
        T = m * square(der(x), 2) / 2;
        V = factorial(3) * scaled(x);
    }
}

fn main() {}
