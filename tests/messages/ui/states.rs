// One program for each kind of mistake in states and their rates.

use lagrangian::lagrangian;

mod misplaced {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z: state, m: parameter }
        T = m * z * der(x)^2 / 2;
        der(z) = -z;
    }
}

mod in_potential {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z, w: state, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        der(w) = u - w;
        der(z) = der(w) - z;
        V = der(z) * x;
    }
}

mod without_rate {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z: state, m: parameter }
        T = m * der(x)^2 / 2;
        Q.x = z;
    }
}

mod twice {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z: state, m: parameter }
        T = m * der(x)^2 / 2;
        der(z) = -z;
        der(z) = x;
        Q.x = z;
    }
}

mod circle {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z, w: state, m: parameter }
        T = m * der(x)^2 / 2;
        der(w) = x - der(z);
        der(z) = x + der(w);
        Q.x = z + w;
    }
}

mod too_early {
    lagrangian::lagrangian! {
        struct S { x: coordinate, z: state, m: parameter }
        T = m * der(x)^2 / 2;
        Q.x = z - der(z);
        der(z) = x - z;
    }
}

mod of_a_coordinate {
    lagrangian::lagrangian! {
        struct S { x, y: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        der(x) = y;
    }
}

// The methods exist after mistakes, so that their uses cause no further message.
lagrangian! {
    struct Broken { x: coordinate, z: state, m: parameter, u: input }
    T = m * der(x)^2 / 2;
    der(z) = unknown - z;
    Q.x = z;
    pub let force = z;
}

fn main() {
    use lagrangian::{Stateful, rk4_step_with_states, vector};
    let system = Broken::new(1.0);
    let (q, v, z, u) = (vector![0.0], vector![0.0], vector![0.0], vector![0.0]);
    let _ = system.state_rates(&q, &v, &z, &u);
    let _ = system.force(&q, &v, &z);
    let _ = rk4_step_with_states(&system, 0.0, &q, &v, &z, &u, 1e-3);
    let _ = Stateful::acceleration(&system, 0.0, &q, &v, &z, &u);
}
