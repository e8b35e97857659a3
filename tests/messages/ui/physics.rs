mod absolute_velocity {
    //! mistake: the statement of `T`; no polynomial in the velocities, so that it is for `L =`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x) * abs(der(x));
    }
}

mod acceleration {
    //! mistake: the outer `der` of `der(der(x))`; no expression contains accelerations

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        D = der(der(x))^2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let (q, v) = (lagrangian::vector![0.0], lagrangian::vector![1.0]);
        let _ = cart.acceleration(&q, &v);
    }
}

mod acceleration_dotted {
    //! mistake: `ẍ` and the `der` of `ẋ`; no expression contains accelerations

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * ẋ^2 / 2;
        pub let a = ẍ;
        pub let b = der(ẋ);
    }
}

mod acceleration_of_let {
    //! mistake: the last `der`; `v` is a velocity

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let v = der([x, 2 * x]);
        T = m * v^2 / 2;
        pub let a = der(v);
    }
}

mod added_cubic_term {
    //! mistake: the second statement of `T`, which is not of degree 2

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        T += m * der(x)^4;
    }
}

mod asked_for_in_one_run {
    //! mistake: `l`, `turn`, `nothing_at_all` and `missing`: each is told beside the others

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        regressor identify { l }
        symmetry turn: theta -> 1;
        bundle control { nothing_at_all }
        regressor other { missing }
    }
}

mod branch_on_velocity {
    //! mistake: the statement of `T`; a condition on velocities is no polynomial in them

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = if der(x) > 0 { m * der(x)^2 } else { 2 * m * der(x)^2 };
    }
}

mod coordinate_in_unused_let {
    //! mistake: `y`; the `let` that reads it is read by nothing itself

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m: parameter }
        let height = 2 * y;
        T = m * der(x)^2 / 2;
    }
}

mod coordinate_that_cancels {
    //! mistake: the value of `T`, in which the velocity of `y` cancels

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m: parameter }
        T = m * der(x)^2 / 2 + der(y)^2 - der(y)^2;
    }
}

mod cubic_kinetic_energy {
    //! mistake: the statement of `T`; its degree in the velocities is above 2, so that it is for `L =`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^3 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.kinetic_energy(&Default::default(), &Default::default());
    }
}

mod degenerate_lagrangian {
    //! mistake: the name of the struct; the length of a curve does not determine its parametrization

    use lagrangian::lagrangian;

    lagrangian! {
        struct ShortestPath { x, y: coordinate }
        L = sqrt(der(x)^2 + der(y)^2);
    }
}

mod derivative_of_input {
    //! mistake: `u` within `der`; its rate is not known

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.x = u + der(u);
    }
}

mod derivative_of_let_with_input {
    //! mistake: `pull` within `der`; it depends on the input `u`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        let pull = x * u;
        T = m * der(x)^2 / 2;
        Q.x = der(pull);
    }
}

mod dotted_velocity_in_point {
    //! mistake: `ẋ`; a point depends on coordinates and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * ẋ^2 / 2;
        force [u * ẋ, 0] at [x + ẋ, 0];
    }
}

mod dotted_velocity_in_potential {
    //! mistake: `ẋ` and the `y` with a combining dot; a potential energy depends on coordinates and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Particle { x, y: coordinate, m, k: parameter }
        T = m * (ẋ^2 + ẏ^2) / 2;
        V = k * x * ẋ + k * ẏ;
    }
}

mod elements {
    //! mistake: the declaration of an array of which some elements nothing depends on

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], R: coordinate[2, 2] }
        T = der(q[1])^2 / 2 + der(R[0, 0])^2 + der(R[0, 1])^2 + der(R[1, 1])^2;
    }
}

mod elements_without_inertia {
    //! mistake: the declaration of an array of which some elements have no inertia

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], R: coordinate[2, 2] }
        T = der(q[1])^2 / 2 + der(R[0, 0])^2 + der(R[0, 1])^2 + der(R[1, 1])^2;
        V = q^2 + R[1, 0]^2;
    }
}

mod energies_after_lagrangian {
    //! mistake: `T`; the Lagrangian is given already, and `V` is no other mistake

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        L = m * der(x)^2 / 2 - m * x;
        T = m * der(x)^2 / 2;
        V += m * x;
    }
}

mod energy_subtracted {
    //! mistake: `-=` and `*=`; energies know `=` and `+=`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V -= m * x;
        D *= 2;
        Q.x -= m;
    }
}

mod equals_after_added {
    //! mistake: the `V` of the last statement; it would replace what was added

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V += x;
        V = x^2;
    }
}

mod gyroscopic_only {
    //! mistake: `y`; a term linear in its velocity gives it no inertia

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m: parameter }
        T = m * der(x)^2 / 2 + x * der(y);
    }
}

mod input_in_energy {
    //! mistake: `u` in the kinetic and `w` in the potential energy; an input may not occur there

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u, w: input }
        T = m * u * der(x)^2 / 2;
        V = m * x * w;
        Q.x = u + w;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let (q, u) = (lagrangian::vector![0.0], lagrangian::vector![0.0, 1.0]);
        let _ = cart.forcing(&q, &q, &u);
    }
}

mod input_in_lagrangian {
    //! mistake: `u`; an input may not occur in the Lagrangian

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        L = m * der(x)^2 / 2 + u * x;
    }
}

mod input_in_point {
    //! mistake: `u` of the point; a point depends on coordinates and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        force [u, 0] at [x, u];
    }
}

mod input_through_let {
    //! mistake: `pull` in the potential energy; it brings in the input `u`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        let pull = x * u;
        T = m * der(x)^2 / 2;
        V = pull;
    }
}

mod kinetic_energy_missing {
    //! mistake: the name of the struct; T is missing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        V = m * x;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.energy(&Default::default(), &Default::default());
    }
}

mod kinetic_energy_twice {
    //! mistake: the second `T`; `+=` adds

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        T = m * der(x)^2;
    }
}

mod lagrangian_after_energies {
    //! mistake: `L`; there are T and V already

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * x;
        L = m * der(x)^2 / 2 - m * x;
    }

    fn uses() {
        let cart = Cart { m: 1.0 };
        let _ = cart.lagrangian(&Default::default(), &Default::default());
    }
}

mod lagrangian_linear_in_velocities {
    //! mistake: `x` and `y`; they have no inertia

    use lagrangian::lagrangian;

    lagrangian! {
        struct Vortices { x, y: coordinate, k: parameter }
        L = k * x * der(y) - x^2 - y^2;
    }
}

mod lagrangian_twice {
    //! mistake: the second `L`; `+=` adds

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        L = m * der(x)^2 / 2;
        L = m * der(x)^2;
    }
}

mod many_mistakes {
    //! mistakes: the `der` in V, `u` in T, `z`, the outer `der`, the second `D`, `L`, the point's `der`: one message each

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Particle {
            x, y, z: coordinate,
            m, k: parameter,
            u: input,
        }
        pub let place = [x, y];
        T = m * der(place)^2 / 2 + u;
        V = k * x * der(y);
        D = der(der(x));
        D = k * der(x)^2;
        L = m;
        force [u, 0] at [x, der(y)];
    }

    fn uses() {
        let particle = Particle { m: 1.0, k: 2.0 };
        let q = lagrangian::vector![1.0, 2.0, 3.0];
        let _ = particle.place(&q);
        let _ = particle.momenta(&q, &q);
    }
}

mod no_coordinate {
    //! mistake: the name of the struct; it has no coordinate

    use lagrangian::lagrangian;

    lagrangian! {
        struct Nothing { m: parameter }
        T = m;
    }
}

mod no_inertia {
    //! mistake: `y`; T does not contain its velocity

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = k * (x - y)^2 / 2;
    }

    fn uses() {
        let cart = Cart { m: 1.0, k: 2.0 };
        let _ = cart.mass_matrix(&lagrangian::vector![0.0, 1.0]);
    }
}

mod no_inertia_among_mistakes {
    //! mistakes: `thta` and `y`, which has no inertia: the energies are known all the same

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pendulum { theta, y: coordinate, m: parameter }
        T = m * der(theta)^2 / 2;
        V = m * cos(thta) + y;
    }
}

mod no_statements {
    //! mistake: the name of the struct; T is missing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
    }
}

mod regressor_function {
    //! mistake: `a` in the regressor, which stands in a function of q

    use lagrangian::lagrangian;

    lagrangian! {
        struct Tunnel { z: coordinate, k, a: parameter }
        T = der(z)^2 / 2;
        V = k * sin(a * z);
        regressor identify { k, a }
    }
}

mod regressor_product {
    //! mistake: `g` in the regressor, which `m` before it multiplies

    use lagrangian::lagrangian;

    lagrangian! {
        struct Weight { z: coordinate, m, k, g: parameter }
        T = m * der(z)^2 / 2;
        V = m * g * z + k * z^2 / 2;
        regressor identify { m, k, g }
    }
}

mod regressor_square {
    //! mistake: `l` in the regressor, which enters as its square

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        regressor identify { m, l }
    }
}

mod root_of_velocities {
    //! mistake: the statement of `T`; no polynomial in the velocities, so that it is for `L =`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Particle { x, y: coordinate, m: parameter }
        T = m * sqrt(1 - der(x)^2 - der(y)^2);
    }
}

mod second_equals {
    //! mistake: the second `V`, `D` and `Q`; `+=` adds

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = x;
        V = x^2;
        D = der(x)^2;
        D = m * der(x)^2;
        Q.x = m;
        Q.x = m * x;
    }
}

mod second_equals_in_loop {
    //! mistake: the keyword of an energy that each iteration gives anew

    use lagrangian::lagrangian;

    lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        for i in 0..3 {
            T = m * der(q[i])^2 / 2;
            V += q[i];
        }
    }
}

mod singular_mass_matrix {
    //! mistake: the name of the struct; its mass matrix is singular at every point

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pair { x, y: coordinate, m: parameter }
        T = m * (der(x) + der(y))^2 / 2;
        V = x^2 + y^2;
    }

    fn uses() {
        let pair = Pair { m: 1.0 };
        let q = lagrangian::vector![0.0, 1.0];
        let _ = pair.solve(&q, &q);
    }
}

mod symmetry_boost {
    //! mistake: the symmetry `boost`, which is that of Galilei

    use lagrangian::lagrangian;

    lagrangian! {
        struct Free { x: coordinate, t: time, m: parameter }
        T = m * der(x)^2 / 2;
        symmetry boost: x -> t;
    }
}

mod symmetry_idle {
    //! mistake: the symmetry `nothing`, which moves nothing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        symmetry nothing: x -> 0;
    }
}

mod symmetry_of_body {
    //! mistake: the symmetry `own` of a body that is not symmetric

    use lagrangian::lagrangian;

    lagrangian! {
        struct Body { att: rotation, i: parameter[3] }
        frame F = world.rotate(att);
        body { frame: F, inertia: diag(i) }
        symmetry own: att -> [0, 0, 1];
    }
}

mod symmetry_of_potential {
    //! mistake: the symmetry `turn`, along which V changes

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        symmetry along: x -> 1;
        symmetry turn: theta -> 1;
    }
}

mod symmetry_velocity {
    //! mistake: `der` in the symmetry; it is of positions and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        symmetry along: x -> der(theta);
    }
}

mod unknown_name_and_cubic_energy {
    //! mistakes: `k` and the second statement of `T`; nothing is said of inertia as long as T is none

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y, z: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = k * x^2 + y * z;
        T += der(y)^3;
    }
}

mod unused_coordinate {
    //! mistake: `y`; nothing uses it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            x: coordinate,
            y: coordinate,
            m: parameter,
        }
        T = m * der(x)^2 / 2;
    }
}

mod velocity_in_point {
    //! mistake: the `der` of the point; a point depends on coordinates and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        force [u, 0] at [x, der(x)];
    }
}

mod velocity_in_potential {
    //! mistake: the `der`; a potential energy depends on coordinates and time

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = k * x * der(x);
    }

    fn uses() {
        let cart = Cart { m: 1.0, k: 2.0 };
        let _ = cart.potential_energy(&lagrangian::vector![0.0]);
        let _ = cart.potential_gradient(&lagrangian::vector![0.0]);
    }
}

mod velocity_through_let_in_point {
    //! mistake: `tip` of the force; it contains a velocity

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        let tip = [x, der(x)];
        T = m * der(x)^2 / 2;
        force [u, 0] at tip;
    }
}

mod velocity_through_let_in_potential {
    //! mistake: `speed` in the potential energy; it is a velocity

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m, k: parameter }
        let speed = der(x);
        T = m * speed^2 / 2;
        V = k * speed;
    }
}

fn main() {}
