//! Systems without physical meaning that use the functions and forms of the language.

use lagrangian::lagrangian;
use lagrangian::nalgebra::vector;

use crate::harness::reference_test;
use crate::support::assert_close;

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

lagrangian! {
    /// A pendulum on a cart, and a row of springs that become stiffer, by functions.
    #[derive(Clone, Copy, Debug)]
    struct ByFunctions {
        x, theta: coordinate,
        s: coordinate[3],
        m, k, h, l, g: parameter,
        u: input,
    }

    let hardening(e) = k * (e^2 / 2 + h * e^4 / 4);
    let neighbour(i) = if i > 0 { s[i - 1] } else { x };
    let kinetic(mass, r) = mass * der(r)^2 / 2;
    let rod(mass, length) = diag(mass * length^2 / 12, mass * length^2 / 12, 0);
    let height(F) = F.origin.z;
    frame Rod = world.translate([x, 0, 0]).rotate(y, theta);
    body { frame: Rod, mass: m, at: [0, 0, l / 2], inertia: rod(m, l) }
    T = kinetic(m, x) + kinetic(2 * m, s);
    V = m * g * height(Rod.translate([0, 0, l / 2])) + sum(i in 0..3, hardening(s[i] - neighbour(i)));
    let drive(y) = y * (1 + der(x)^2);
    Q.x = drive(u);
    let ratio(a, b) = a / b;
    pub let stretch = ratio(s[2] - x, l);
    pub let power = drive(u) * der(x);
}

lagrangian! {
    /// The same, written out.
    #[derive(Clone, Copy, Debug)]
    struct WithoutFunctions {
        x, theta: coordinate,
        s: coordinate[3],
        m, k, h, l, g: parameter,
        u: input,
    }

    frame Rod = world.translate([x, 0, 0]).rotate(y, theta);
    body { frame: Rod, mass: m, at: [0, 0, l / 2], inertia: diag(m * l^2 / 12, m * l^2 / 12, 0) }
    T = m * der(x)^2 / 2 + 2 * m * der(s)^2 / 2;
    V = m * g * cos(theta) * l / 2;
    V += k * ((s[0] - x)^2 / 2 + h * (s[0] - x)^4 / 4);
    V += k * ((s[1] - s[0])^2 / 2 + h * (s[1] - s[0])^4 / 4);
    V += k * ((s[2] - s[1])^2 / 2 + h * (s[2] - s[1])^4 / 4);
    Q.x = u * (1 + der(x)^2);
    pub let stretch = (s[2] - x) / l;
    pub let power = u * (1 + der(x)^2) * der(x);
}

#[test]
fn functions_stand_for_their_bodies() {
    let (m, k, h, l, g) = (0.7, 3.0, 0.4, 1.3, 9.81);
    let by = ByFunctions { m, k, h, l, g };
    let without = WithoutFunctions { m, k, h, l, g };
    let (q, v) = (
        vector![0.3, -0.8, 0.5, 1.1, 0.9],
        vector![0.2, 1.5, -0.7, 0.1, 0.4],
    );
    let u = vector![2.5];
    let (a, b) = (
        by.acceleration(&q, &v, &u),
        without.acceleration(&q, &v, &u),
    );
    assert_close("a", &a.unwrap(), &b.unwrap(), 1e-13);
    assert_close("E", &by.energy(&q, &v), &without.energy(&q, &v), 1e-13);
    let forces = (
        by.generalized_forces(&q, &v, &u),
        without.generalized_forces(&q, &v, &u),
    );
    assert_close("Q", &forces.0, &forces.1, 1e-15);
    assert_eq!(by.stretch(&q), without.stretch(&q));
    assert_eq!(by.power(&q, &v, &u), without.power(&q, &v, &u));
    assert_eq!(by.stretch_rate(&q, &v), without.stretch_rate(&q, &v));
}
