mod assigned_field {
    //! mistake: `x` and `m`; only a `let mut` can change

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        x = 2;
        m *= 2;
        T = m * der(x)^2 / 2;
    }
}

mod assigned_immutable {
    //! mistake: `height` before `+=`; its `let` is to be a `let mut`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let height = 2 * x;
        height += 1;
        T = m * der(x)^2 / 2;
        V = height;
    }
}

mod assigned_without_let {
    //! mistake: `height`; it is declared by `let mut`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        height = 2 * x;
        T = m * der(x)^2 / 2;
        V = height;
    }
}

mod bundle_before_output {
    //! mistake: `tip` in the bundle, which stands before its declaration

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle control { bias, tip_jacobian }
        pub let tip = l * sin(theta);
    }
}

mod bundle_called_like_method {
    //! mistake: the bundle `energy`, called like a generated method

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle energy { bias, momenta }
    }
}

mod bundle_duplicate_item {
    //! mistake: the second `bias` of the bundle

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle control { bias, momenta, bias }
    }
}

mod bundle_empty {
    //! mistake: the bundle `nothing`, which holds nothing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle nothing {}
    }
}

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

mod bundle_in_loop {
    //! mistake: the bundle `both`, in a loop

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        for i in 0..2 {
            bundle both { bias, momenta }
        }
    }
}

mod bundle_item_of_other_systems {
    //! mistake: `constraint_gamma` in the bundle of a system without constraints

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle control { bias, constraint_gamma }
    }
}

mod bundle_long_coriolis_matrix {
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

    fn uses() {
        let arm = Arm { m: 1.0, l: 1.0, a: 1.0, b: 1.0 };
        let (q, v) = Default::default();
        let _ = arm.control(&q, &v).coriolis_matrix;
    }
}

mod bundle_private_value {
    //! mistake: `tip` in the bundle, which is no output

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        let tip = l * sin(theta);
        bundle control { bias, tip }
    }
}

mod bundle_unknown_item {
    //! mistake: `mass_matrx` in the bundle, no name of a method

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle control { mass_matrx, bias }
    }
}

mod bundles_of_one_struct {
    //! mistake: the bundle `fullStep`, whose struct has the name of another

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle full_step { bias }
        bundle fullStep { momenta }
    }
}

mod dotted_parameter {
    //! mistake: `ṁ`; a dot is for coordinates

    use lagrangian::lagrangian;

    lagrangian! {
        struct Rocket { x: coordinate, m: parameter }
        T = m * ẋ^2 / 2;
        V = ṁ * x;
    }
}

mod duplicate_field {
    //! mistake: the second `m` and the second `x`; what they are already is said

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, m: parameter, k, x: parameter }
        T = m * der(x)^2 / 2;
        V = k * x;
    }

    fn uses() {
        let _ = Cart { m: 1.0, k: 2.0 };
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

mod force_on_parameter {
    //! mistake: `m` behind `Q.`; a generalized force acts on a coordinate

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.m = u;
    }
}

mod force_on_unknown_coordinate {
    //! mistake: `thta`; did you mean `theta`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pendulum { theta: coordinate, m: parameter, u: input }
        T = m * der(theta)^2 / 2;
        Q.thta = u;
    }

    fn uses() {
        let pendulum = Pendulum { m: 1.0 };
        let _ = pendulum.generalized_forces(&Default::default(), &Default::default(), &Default::default());
    }
}

mod frame_called_like_method {
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

mod lagrangian_read {
    //! mistake: `L`; it cannot be read

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        L = m * der(x)^2 / 2;
        pub let action = L;
    }
}

mod let_shadows_field {
    //! mistake: the `let` names `x`, `m`, `u` and `t`; only a `let` shadows a `let`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input, t: time }
        let x = 2;
        let m = 3;
        let u = 4;
        pub let t = 5;
        T = m * der(x)^2 / 2;
    }
}

mod loops {
    //! mistake: the loop variable that has the name of something else, or is used or assigned where it may
    //! not be; the name that ended with its loop; the output in a loop

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
        for m in 0..3 { V += q[m]; }
        for i in 0..3 {
            for i in 0..3 { V += q[i]; }
            let height = q[i];
            pub let width = q[i];
            i = 2;
            V += height + nothing;
        }
        D = i * der(q[0])^2 + height;
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

mod mutable_output {
    //! mistake: `height`; an output has one value

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let mut height = 2 * x;
        height += 1;
        T = m * der(x)^2 / 2;
    }
}

mod output_before_its_jacobian {
    //! mistake: the later `bob`, whose Jacobian would be called like the output before

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let bob_jacobian = x;
        pub let bob = [x, 2 * x];
        T = m * der(x)^2 / 2;
    }
}

mod output_called_like_jacobian {
    //! mistake: `bob_jacobian`; the output `bob` has a Jacobian of that name

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let bob = [x, 2 * x];
        pub let bob_jacobian = x;
        T = m * der(x)^2 / 2;
    }
}

mod output_called_like_method {
    //! mistake: the name of each output; methods of these names are generated

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let mass_matrix = x;
        pub let energy = x;
        pub let acceleration_unchecked = x;
        pub let rhs = x;
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.mass_matrix(&Default::default());
        let _ = cart.energy(&Default::default(), &Default::default());
    }
}

mod output_called_like_other_method {
    //! mistake: the name of each output; other systems have methods of these names, which are kept for them

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let linearize = x;
        pub let project = x;
        pub let velocity = x;
        pub let hamiltonian = x;
        pub let constraint_forces = x;
        pub let solve = x;
        T = m * der(x)^2 / 2;
    }
}

mod output_called_like_rate {
    //! mistake: `bob_rate`, `bob`, `power_derivatives`, `cost_hessian`; each is the later of two that clash

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let bob_bias = 2 * x;
        pub let bob = [x, 2 * x];
        pub let bob_rate = x;
        pub let power = der(x)^2;
        pub let power_rate = x;
        pub let power_derivatives = x;
        #[hessian]
        pub let cost = x^2;
        pub let cost_hessian = x;
        T = m * der(x)^2 / 2;
    }
}

mod output_called_like_trait_method {
    //! mistake: the name of each output; the struct has methods of these names by traits

    use lagrangian::lagrangian;

    lagrangian! {
        #[derive(Clone, Debug)]
        struct Mass { x: coordinate }
        pub let default = x;
        pub let clone = x;
        pub let fmt = 2 * x;
        pub let new = x;
        T = der(x)^2 / 2;
    }

    fn uses() {
        let mass = Mass::<f64>::default();
        println!("{:?}", mass.clone());
    }
}

mod output_like_symmetry {
    //! mistake: the output `along`, called like a symmetry

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        symmetry along: x -> 1;
        pub let along = x;
    }
}

mod output_twice {
    //! mistake: the second `height`; an output has one value

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub let height = 2 * x;
        pub let height = 3 * x;
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.height(&Default::default());
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

mod regressor_of_coordinate {
    //! mistake: `x` in the regressor, a coordinate

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        regressor identify { m, x }
    }
}

mod regressor_unknown_parameter {
    //! mistake: `mm` in the regressor, no name of a parameter

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        regressor identify { mm }
    }
}

mod reserved_field {
    //! mistake: each of the names but `x` and `sin`; they are reserved

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, T, V, L, D, Q, pi, world, der: coordinate, sin: parameter }
        T = der(x)^2 / 2;
    }
}

mod reserved_let {
    //! mistake: `pi`, `V`, `der` and `world`; they are reserved

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let pi = 3;
        let V = m * x;
        let der = m;
        let world = x;
        T = m * der(x)^2 / 2;
    }
}

mod second_time {
    //! mistake: `s`; there is one time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, t: time, s: time }
        T = m * der(x)^2 / 2;
        V = m * x * sin(t + s);
    }
}

mod time_not_declared {
    //! mistake: `t`; unknown name, which is to be declared as `time`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * x * sin(2 * t);
    }
}

mod two_names_for_time {
    //! mistake: `s`; there is one time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, t, s: time }
        T = m * der(x)^2 / 2;
        V = m * x * sin(t + s);
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

mod unknown_component {
    //! mistake: `w` and `height`; components are `x`, `y` and `z`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let p = [x, m];
        T = m * der(x)^2 / 2;
        V = p.w + p.height;
    }
}

mod unknown_dotted_name {
    //! mistake: `ẏ`; expected the coordinate `x`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * ẋ^2 / 2 + m * ẏ^2;
    }
}

mod unknown_function {
    //! mistake: `arctan2`, `sine`, `cosine`, `sqr` and `foo`; the nearest function where there is one

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = arctan2(x, m) + sine(x) + cosine(x) + sqr(x) + foo(x);
    }
}

mod unknown_method {
    //! mistake: `sinn` and `powl`; with the methods that are meant

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = x.sinn() + x.powl(2);
    }
}

mod unknown_name {
    //! mistake: `thta`; did you mean `theta`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pendulum { theta: coordinate, m, l, g: parameter }
        T = m * l^2 * der(theta)^2 / 2;
        V = -m * g * l * cos(thta);
    }

    fn uses() {
        let pendulum = Pendulum { m: 1.0, l: 2.0, g: 9.81 };
        let _ = pendulum.potential_energy(&lagrangian::vector![0.3]);
        let _ = pendulum.acceleration(&lagrangian::vector![0.3], &Default::default());
    }
}

mod unknown_name_in_let {
    //! mistake: `lenght`; nothing about the `let`s that use it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pendulum { theta: coordinate, m, length: parameter }
        pub let bob = [lenght * sin(theta), length * cos(theta)];
        pub let height = bob.y;
        T = m * der(bob)^2 / 2;
        V = m * height;
    }

    fn uses() {
        let pendulum = Pendulum { m: 1.0, length: 2.0 };
        let q = lagrangian::vector![0.3];
        let _ = (pendulum.bob(&q), pendulum.height(&q), pendulum.bob_jacobian(&q));
    }
}

mod unknown_name_often {
    //! mistake: the first `k` only; it lacks a declaration, and its other uses say nothing new

    use lagrangian::lagrangian;

    lagrangian! {
        struct Oscillator { position: coordinate, mass: parameter }
        let a = k * position;
        let b = k + a;
        T = mass * der(position)^2 / 2;
        V = k * position^2 / 2 + b;
    }
}

mod unknown_role {
    //! mistake: `coord` and `param`; with the roles that are meant

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coord, m: param }
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let _ = Cart::<f64>::COORDINATES;
    }
}

mod unknown_role_listed {
    //! mistake: `constant`; with the list of roles

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: constant }
        T = m * der(x)^2 / 2;
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

mod used_before_declaration {
    //! mistake: `height`; its `let` is to be moved up

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * height;
        let height = 2 * x;
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
