//! Systems without physical meaning that use the functions and forms of the language.

use lagrangian::lagrangian;

use crate::harness::reference_test;

lagrangian! {
    struct ElementaryFunctions {
        x, y: coordinate,
        a, b: parameter,
    }

    pub let circular = sin(x) + cos(y) + tan(x * y) + asin(x) + acos(y) + atan(a * x);
    pub let hyperbolic = sinh(x) + cosh(y) + (x * y).tanh() + exp(-x) + ln(a + y);
    pub let powers = sqrt(a + x) + hypot(x, y) + pow(a + x, b) + powi(x * y, 3)
        + recip(a + y) + x^(5/2);
    pub let pieces = abs(x - 2 * y) * min(x, y^2) + max(a * x, y) * sign(y - x);
    let angle = atan2(y, x + b);
    pub let angle_rate = der(angle);
    T = (2 + x.sin() * y.tanh() + (-x * y).exp()) * der(x)^2 / 2;
    T += cosh(x) * der(y)^2 / 2 + x.atan2(a) * der(x) * der(y) / 4;
    V = circular + hyperbolic + powers + pieces + angle;
}

// The energy jumps where `sign(y - x)` does.
reference_test! {
    elementary_functions: ElementaryFunctions { a, b },
    Natural (q, v),
    outputs [
        circular(&q), circular_jacobian(&q), hyperbolic(&q), hyperbolic_jacobian(&q),
        powers(&q), powers_jacobian(&q), pieces(&q), pieces_jacobian(&q), angle_rate(&q, &v),
    ],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    struct LinearAlgebra {
        x, y, z: coordinate,
        a, b, c: parameter,
    }

    let r = [x, y, z];
    let w = [b, c, a];
    let v = der(r);
    pub let metric = diag(a, a + b, a + c) + identity(3) * c + outer(w, w) / 4;
    let turn = [[cos(x), -sin(x)], [sin(x), cos(x)]];
    pub let planar = turn * [y, z];
    T = dot(v, metric * v) / 2 + der(planar)^2 / 2;
    V = norm(r + w) + dot(w, r)^2 + cross(w, r)^2 + cross([y, z], planar);
    V += trace(transpose(turn) * [[a, b], [c, x]]);
    pub let row = metric[1];
    pub let entry = metric[0, 2];
    pub let spin = cross(w, v);
}

reference_test! {
    linear_algebra: LinearAlgebra { a, b, c },
    Natural (q, v),
    outputs [
        metric(&q), row(&q), row_jacobian(&q), entry(&q), entry_jacobian(&q),
        planar(&q), planar_jacobian(&q), spin(&q, &v),
    ],
    coordinates ["x", "y", "z"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    struct Branches {
        x, y: coordinate,
        a, b: parameter,
    }

    pub let stiff = if x > 0 { a * x^2 } else if x >= -0.5 { b * x^4 } else { x * y };
    pub let ratchet = if der(x) < 0 { a * der(x) } else { b * der(x)^3 };
    T = der([x, y])^2 / 2 + (if x <= y { x^2 } else { y^2 }) * der(y)^2 / 2;
    V = stiff;
    Q.x = -ratchet;
}

reference_test! {
    branches: Branches { a, b },
    Natural (q, v),
    outputs [stiff(&q), stiff_jacobian(&q), ratchet(&q, &v)],
    coordinates ["x", "y"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// Greek letters, dots, a keyword, and names that begin statements; `let mut`, and a `let` that
    /// shadows another.
    struct NamesAndLets {
        θ, ξ: coordinate,
        m, r#type, t, S: parameter,
        force: input,
    }

    let mut level = ξ * cos(θ);
    level += r#type;
    level += 1;
    level *= 2;
    level /= t;
    level -= S;
    pub let level = level;
    pub let level_speed = der(level);
    T = m * (ξ̇^2 + ξ^2 * θ̇^2) / 2 + pi * θ̇ * ξ̇ / 16;
    V = level^2 / 2;
    Q.ξ = force - ξ̇;
}

reference_test! {
    names_and_lets: NamesAndLets { m, r#type, t, S },
    Natural (q, v; u),
    outputs [level(&q), level_jacobian(&q), level_speed(&q, &v)],
    coordinates ["θ", "ξ"], cyclic [false, false], conserved [false, false],
    conserves_energy false, constant_mass_matrix false,
}

lagrangian! {
    /// Not quadratic, with explicit time and an input: every signature at its longest.
    struct LagrangianWithTime {
        q0, q1, q2: coordinate,
        m, k, w: parameter,
        u: input,
        t: time,
    }

    let speed = der([q0, q1, q2])^2;
    L = m * speed / 2 + speed^2 / 8 + cos(w * t) * q0 * der(q1);
    L += sin(t) * q2 * q1 - k * [q0, q1, q2]^2 / 2;
    D = der(q0)^4 / 4;
    Q.q1 = u - t * der(q2);
    pub let gain = u * q0;
    pub let phase = w * t + q2;
}

reference_test! {
    lagrangian_with_time: LagrangianWithTime { m, k, w },
    Lagrangian ([t] q, v; u),
    outputs [gain(t, &q, &v, &u), phase(t, &q), phase_jacobian(t, &q)],
    coordinates ["q0", "q1", "q2"], cyclic [false; 3], conserved [false; 3],
    conserves_energy false, constant_mass_matrix false,
}
