//! Particles, chains and rotations whose coordinates are vectors and matrices, against the reference
//! values of the same systems by scalars.

use lagrangian::lagrangian;

use crate::harness::reference_test;

lagrangian! {
    /// Five equal links, by a loop.
    struct PendulumChain {
        q: coordinate[5],
        m, l, g: parameter,
    }

    let mut bob = [0, 0];
    for i in 0..5 {
        bob += l * [sin(q[i]), -cos(q[i])];
        T += m * der(bob)^2 / 2;
        V += m * g * bob.y;
    }
    pub let tip = l * [sum(i in 0..5, sin(q[i])), -sum(i in 0..5, cos(q[i]))];
}

reference_test! {
    pendulum_chain: PendulumChain { m, l, g },
    Natural (q, v),
    outputs [tip(&q), tip_jacobian(&q)],
    coordinates ["q[0]", "q[1]", "q[2]", "q[3]", "q[4]"], cyclic [false; 5], conserved [false; 5],
    conserves_energy true, constant_mass_matrix false,
}

lagrangian! {
    struct ParticleOnPlane {
        r: coordinate[3],
        m, g: parameter,
        f: input,
    }

    T = m * der(r)^2 / 2;
    V = m * g * r.z;
    Q.r.x = f;
    holonomic plane: r.x = r.y;
}

reference_test! {
    particle_on_plane: ParticleOnPlane { m, g },
    Natural (q, v; u),
    outputs [],
    constraints ["plane"], holonomic 1,
    coordinates ["r[0]", "r[1]", "r[2]"], cyclic [true, true, false], conserved [false; 3],
    conserves_energy false, constant_mass_matrix true,
}

lagrangian! {
    struct Bowl {
        r: coordinate[3],
        m, g: parameter,
    }

    body { mass: m, at: r }
    gravity [0, 0, -g];
    holonomic wall: r^2 = 1;
}

reference_test! {
    bowl: Bowl { m, g },
    Natural (q, v),
    outputs [],
    constraints ["wall"], holonomic 1,
    coordinates ["r[0]", "r[1]", "r[2]"], cyclic [true, true, false], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    struct TiedPair {
        q: coordinate[2],
    }

    T = der(q)^2;
    holonomic tie: q[0] = q[1];
}

reference_test! {
    tied_pair: TiedPair {},
    Natural (q, v),
    outputs [],
    constraints ["tie"], holonomic 1,
    coordinates ["q[0]", "q[1]"], cyclic [true, true], conserved [false, false],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    struct CartesianPendulum {
        r: coordinate[2],
        m, g, l: parameter,
    }

    T = m * der(r)^2 / 2;
    V = m * g * r.y;
    holonomic rod: r^2 = l^2;
}

reference_test! {
    cartesian_pendulum: CartesianPendulum { m, g, l },
    Natural (q, v),
    outputs [],
    constraints ["rod"], holonomic 1,
    coordinates ["r[0]", "r[1]"], cyclic [true, false], conserved [false, false],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    /// The bobs are the rows of a matrix.
    struct CartesianDoublePendulum {
        r: coordinate[2, 2],
        m1, m2, l1, l2, g: parameter,
    }

    body { mass: m1, at: r[0] }
    body { mass: m2, at: r[1] }
    gravity [0, -g];
    holonomic upper: r[0]^2 = l1^2;
    holonomic lower: (r[1] - r[0])^2 = l2^2;
}

reference_test! {
    cartesian_double_pendulum: CartesianDoublePendulum { m1, m2, l1, l2, g },
    Natural (q, v),
    outputs [],
    constraints ["upper", "lower"], holonomic 2,
    coordinates ["r[0, 0]", "r[0, 1]", "r[1, 0]", "r[1, 1]"],
    cyclic [true, false, true, false], conserved [false; 4],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    struct ChargedParticle {
        r: coordinate[3],
        m, e, bx, by, bz, ex, k: parameter,
    }

    let v = der(r);
    L = m * v^2 / 2;
    L += e * dot(v, cross([bx, by, bz], r)) / 2;
    L += e * (ex * r[0] - k * r^2 / 2);
}

reference_test! {
    charged_particle: ChargedParticle { m, e, bx, by, bz, ex, k },
    Quadratic (q, v),
    outputs [],
    coordinates ["r[0]", "r[1]", "r[2]"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    /// Weight and spring by their statements, attraction by its potential.
    struct PotentialCatalogue {
        r: coordinate[3],
        m, g, gamma, m2, k, rest: parameter,
    }

    body { mass: m, at: r }
    gravity [0, 0, -g];
    spring { k, rest, from: [0, 0, 0], to: r }
    V += -gamma * m * m2 / norm(r);
}

reference_test! {
    potential_catalogue: PotentialCatalogue { m, g, gamma, m2, k, rest },
    Natural (q, v),
    outputs [],
    coordinates ["r[0]", "r[1]", "r[2]"], cyclic [false; 3], conserved [false; 3],
    conserves_energy true, constant_mass_matrix true,
}

lagrangian! {
    /// A quaternion, the scalar part first.
    struct QuaternionBody {
        e: coordinate[4],
        i1, i2, i3: parameter,
    }

    let along = [e[1], e[2], e[3]];
    pub let body_rates = 2 * (e[0] * der(along) - der(e[0]) * along - cross(along, der(along)));
    T = dot(body_rates, diag(i1, i2, i3) * body_rates) / 2;
    holonomic unit: e^2 = 1;
}

reference_test! {
    quaternion_body: QuaternionBody { i1, i2, i3 },
    Natural (q, v),
    outputs [body_rates(&q, &v)],
    constraints ["unit"], holonomic 1,
    coordinates ["e[0]", "e[1]", "e[2]", "e[3]"], cyclic [false; 4], conserved [false; 4],
    conserves_energy true, constant_mass_matrix false,
}
