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

mod coordinate_that_cancels {
    //! mistake: the value of `T`, in which the velocity of `y` cancels

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x, y: coordinate, m: parameter }
        T = m * der(x)^2 / 2 + der(y)^2 - der(y)^2;
    }
}

mod contact_without_a_slip {
    //! mistake: `friction`, whose contact has no `slip`, the constant `-0.3`, and `1.5`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Block { x, y: coordinate, m, mu: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        contact floor: y >= 0 { friction: mu };
        contact wall: x >= 0 { slip: der(y), friction: -0.3 };
        contact ceiling: y <= 3 { restitution: 1.5 };
    }

    fn uses() {
        let block = Block { m: 1.0, mu: 0.5 };
        let _ = block.resolve(&Default::default(), &Default::default(), &[true; 3]);
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

mod table_in_potential {
    //! mistake: the `table`, whose slope would be a force

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = table(x, [0, 1, 2], [0, 3, 1]);
    }
}

fn main() {}
