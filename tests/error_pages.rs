//! The right programs of `docs/errors.md`, for the compiler to see: nothing is said of them there either. Written by
//! `UPDATE=1 cargo test -p lagrange-lang --lib each_kind`.

#![deny(warnings)]
#![allow(missing_docs, dead_code)]

mod l001_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod l004_1 {
    lagrangian::lagrangian! {
        struct Mass { r: coordinate[3], m: parameter = 1 }
        T = m * der(r)^2 / 2;
    }
}

mod l010_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        let speed = der(x);
        T = m * speed^2 / 2;
    }
}

mod l011_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = k / x;
    }
}

mod l012_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        let half = k / 2;
        V = half * x^2;
    }
}

mod l013_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = k * x^2 / 2;
    }
}

mod l015_1 {
    lagrangian::lagrangian! {
        struct Bead { x, y: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic wire: x = y;
    }
}

mod l016_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
        let mut sum = 0;
        for i in 0..3 {
            sum += q[i];
        }
        pub let height = sum;
    }
}

mod l017_1 {
    lagrangian::lagrangian! {
        struct Ball { y, z: coordinate, m: parameter }
        T = m * (der(y)^2 + der(z)^2) / 2;
        holonomic floor: y = 0;
    }
}

mod l018_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = sum(i in 0..3, m * der(q[i])^2 / 2);
    }
}

mod l019_1 {
    lagrangian::lagrangian! {
        struct Stop { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = if x < 0 { k * x^2 / 2 } else { 0 };
    }
}

mod l021_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, l, g: parameter }
        T = m * l^2 * der(theta)^2 / 2;
        V = 2 * m * g * l * sin(theta / 2)^2;
    }
}

mod l022_1 {
    lagrangian::lagrangian! {
        struct Mass { y: coordinate, m: parameter, gravity: parameter = 9.81 }
        T = m * der(y)^2 / 2;
        V = m * gravity * y;
    }
}

mod l023_1 {
    lagrangian::lagrangian! {
        struct Mass { y: coordinate, mass: parameter }
        T = mass * der(y)^2 / 2;
        V = mass * 9.81 [m/s^2] * y;
    }
}

mod l024_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, g: parameter }
        T = m * der(theta)^2 / 2;
        V = -m * g * cos(theta - 30 * pi / 180);
    }
}

mod l025_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        // the kinetic energy
        T = m * der(x)^2 / 2;
    }
}

mod l026_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        let stretch = x;
        V = k * stretch^2 / 2;
    }
}

mod l029_1 {
    lagrangian::lagrangian! {
        struct Pair { x, y: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic together: x = y;
    }
}

mod l030_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        /// Without a spring: `k` = 0.
        V = k * x^2 / 2;
    }
}

mod l031_1 {
    lagrangian::lagrangian! {
        #[derive(Clone)]
        struct Mass { x: coordinate, m: parameter = 1 }
        T = m * der(x)^2 / 2;
    }
}

mod l032_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, u: parameter }
        T = m * der(x)^2 / 2;
        #[hessian]
        pub let cost = x^2 + u * der(x)^2;
    }
}

mod l102_1 {
    lagrangian::lagrangian! {
        struct Gas { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = -k * ln(x);
    }
}

mod l103_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, l, g: parameter }
        frame Arm = world.rotate(z, theta);
        body { frame: Arm, mass: m, at: [0, -l, 0] }
        gravity [0, -g, 0];
    }
}

mod l104_1 {
    lagrangian::lagrangian! {
        struct Mass { r: coordinate[2], m, g: parameter }
        T = m * der(r)^2 / 2;
        V = m * g * r.y;
    }
}

mod l105_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.x = u;
    }
}

mod l106_1 {
    lagrangian::lagrangian! {
        struct Pair { x, y: coordinate, m, k: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        spring { k: k, from: [x, 0, 0], to: [y, 0, 0] }
    }
}

mod l107_1 {
    lagrangian::lagrangian! {
        struct Rod { theta: coordinate, m, l: parameter }
        T = m * l^2 * der(theta)^2 / 6;
    }
}

mod l108_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter, u: input }
        T = m * der(x)^2 / 2;
        V = k * x^2 / 2;
        Q.x = u;
    }
}

mod l109_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        pub let push = m * der(x);
    }
}

mod l110_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[2], m, l: parameter }
        frame mut Link = world;
        for i in 0..2 {
            Link = Link.rotate(z, q[i]);
            body { frame: Link, mass: m, at: [l, 0, 0] }
        }
        pub let tip = Link.point([l, 0, 0]);
    }
}

mod l111_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        let mut stiffness = k;
        stiffness += 1;
        V = stiffness * x^2 / 2;
    }
}

mod l112_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        // In Rust: system.energy(&q, &v)
        T = m * der(x)^2 / 2;
        V = k * x^2 / 2;
    }
}

mod l113_1 {
    lagrangian::lagrangian! {
        struct Craft { p: coordinate[3], m, k: parameter }
        frame Hull = world.translate(p);
        body { frame: Hull, mass: m }
        V = k * Hull.origin^2 / 2;
    }
}

mod l116_1 {
    lagrangian::lagrangian! {
        struct Mass { x, y: coordinate, m, k: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        V = k * hypot(x, y);
    }
}

mod l117_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q.x = u;
        bundle step { mass_matrix, acceleration_unchecked }
    }
}

mod l118_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        let power(s, n) = s^n;
        T = m * power(der(x), 2) / 2;
    }
}

mod l119_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        export c99 { acceleration, state_derivative }
    }
}

mod l201_1 {
    lagrangian::lagrangian! {
        struct Mass { r: coordinate[3], m: parameter }
        T = m * dot(der(r), der(r)) / 2;
    }
}

mod l202_1 {
    lagrangian::lagrangian! {
        struct Planet { r: coordinate[3], m, k: parameter }
        T = m * der(r)^2 / 2;
        V = -k / norm(r);
    }
}

mod l203_1 {
    lagrangian::lagrangian! {
        struct Mass { r: coordinate[2], m, k: parameter }
        T = m * der(r)^2 / 2;
        V = k * cos(r.x);
    }
}

mod l204_1 {
    lagrangian::lagrangian! {
        struct Door { q: coordinate, m, b: parameter }
        frame Leaf = world.rotate(z, q);
        body { frame: Leaf, mass: m, at: [b, 0, 0] }
    }
}

mod l205_1 {
    lagrangian::lagrangian! {
        struct Bead { r: coordinate[2], m, l: parameter }
        T = m * der(r)^2 / 2;
        holonomic rod: norm(r) = l;
    }
}

mod l206_1 {
    lagrangian::lagrangian! {
        struct Mass { x, y: coordinate, m: parameter, u: input }
        T = m * (der(x)^2 + der(y)^2) / 2;
        force [u, 0] at [x, y];
    }
}

mod l208_1 {
    lagrangian::lagrangian! {
        struct Mass { r: coordinate[3], m: parameter }
        T = m * (der(r[0])^2 + der(r[1])^2 + der(r[2])^2) / 2;
    }
}

mod l209_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[3], n, m: parameter }
        T = m * der(q)^2 / 2 + n * der(q[0])^2;
        V = q[2];
    }
}

mod l210_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
        V = sum(i in 1..3, q[i]);
    }
}

mod l211_1 {
    lagrangian::lagrangian! {
        struct Rod { q: coordinate, m: parameter }
        let i = m / 12;
        T = m * der(q)^2 / 2 + i * der(q)^2 / 2;
    }
}

mod l212_1 {
    lagrangian::lagrangian! {
        struct Chain { q: coordinate[3], m: parameter }
        T = m * der(q)^2 / 2;
    }
}

mod l213_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = spline(x, [0, 1, 2], [0, 3, 1]);
    }
}

mod l214_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        Q.x = table(x, 0..1, csv("../tests/data/wing.csv", "lift"));
    }
}

mod l221_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = -sqrt(2) * k * x;
    }
}

mod l222_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = 1e300 * x;
    }
}

mod l306_1 {
    lagrangian::lagrangian! {
        struct Particle { x: coordinate, m, c: parameter }
        L = -m * c^2 * sqrt(1 - der(x)^2 / c^2);
    }
}

mod l308_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, k, c: parameter }
        T = m * der(x)^2 / 2;
        V = k * x^2 / 2;
        V += c * x^4 / 4;
    }
}

mod l310_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, c: parameter }
        T = m * der(x)^2 / 2 + c * der(x)^2 / 2;
    }
}

mod l311_1 {
    lagrangian::lagrangian! {
        struct Shaken { x: coordinate, m, k: parameter, base_rate: input }
        T = m * der(x)^2 / 2;
        Q.x = -k * base_rate;
    }
}

mod l312_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, t: time, m, l, g, a, w: parameter }
        let bob = [a * sin(w * t) + l * sin(theta), -l * cos(theta)];
        T = m * der(bob)^2 / 2;
        V = m * g * bob.y;
    }
}

mod l313_1 {
    lagrangian::lagrangian! {
        struct Charge { x: coordinate, m, b: parameter }
        L = m * der(x)^2 / 2 - b * x * der(x);
    }
}

mod l314_1 {
    lagrangian::lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod l315_1 {
    lagrangian::lagrangian! {
        struct Pair { x, y: coordinate, m, k: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        V = k * (x - y)^2 / 2;
    }
}

mod l316_1 {
    lagrangian::lagrangian! {
        struct Pair { x, y: coordinate, m, n, k: parameter }
        T = m * der(x + y)^2 / 2 + n * der(y)^2 / 2;
        V = k * (x^2 + y^2) / 2;
    }
}

mod l317_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, l, g: parameter }
        frame Arm = world.rotate(z, theta);
        body { frame: Arm, mass: m, at: [0, -l, 0] }
        V = -m * g * l * cos(theta);
    }
}

mod l318_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, i, ml, g: parameter }
        T = i * der(theta)^2 / 2;
        V = -ml * g * cos(theta);
        regressor identify { i, ml }
    }
}

mod l319_1 {
    lagrangian::lagrangian! {
        struct Planet { r: coordinate[2], m, k: parameter }
        T = m * der(r)^2 / 2;
        V = -k / norm(r);
        symmetry spin: r -> [-r.y, r.x];
    }
}

mod l320_1 {
    lagrangian::lagrangian! {
        struct Arm { q: coordinate, i, c: parameter, u: input }
        T = i * der(q)^2 / 2;
        actuator motor { joint: q, gear: 50, torque: u, coulomb: c, smooth: 0.01 }
    }
}

mod l321_1 {
    lagrangian::lagrangian! {
        struct Block { x, y: coordinate, m, mu: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic floor: y = 0;
        Q.x = -mu * multiplier(floor);
    }
}

mod l322_1 {
    lagrangian::lagrangian! {
        struct Soft { x: coordinate, heat: state, m, k: parameter }
        T = m * der(x)^2 / 2;
        V = k * (1 - heat) * x^2 / 2;
        der(heat) = -heat;
    }
}

mod l323_1 {
    lagrangian::lagrangian! {
        struct Motor { angle: coordinate, i: state, j, k, l: parameter }
        T = j * der(angle)^2 / 2;
        Q.angle = k * i;
        der(i) = -k * der(angle) / l;
    }
}

mod l324_1 {
    lagrangian::lagrangian! {
        struct Motor { angle: coordinate, i: state, j, k, l, r: parameter }
        T = j * der(angle)^2 / 2;
        Q.angle = k * i;
        der(i) = -(k * der(angle) + r * i) / l;
    }
}

mod l325_1 {
    lagrangian::lagrangian! {
        struct Coils { x: coordinate, a, b: state, m: parameter }
        T = m * der(x)^2 / 2;
        Q.x = a + b;
        der(a) = (b / 2 - a) / (3 / 4);
        der(b) = (a / 2 - b) / (3 / 4);
    }
}

mod l326_1 {
    lagrangian::lagrangian! {
        struct Lag { x: coordinate, y: state, m, tau: parameter }
        T = m * der(x)^2 / 2;
        V = (x - y)^2 / 2;
        der(y) = (x - y) / tau;
    }
}

mod l328_1 {
    lagrangian::lagrangian! {
        struct Block { x, y: coordinate, m, mu: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        contact floor: y >= 0 { slip: der(x), friction: mu };
    }
}

mod l402_1 {
    lagrangian::lagrangian! {
        struct Bead { x, y: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic wire: x + 1 = y;
    }
}

mod l403_1 {
    lagrangian::lagrangian! {
        struct Sled { x, y, heading: coordinate, m, i: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2 + i * der(heading)^2 / 2;
        nonholonomic blade: der(x) * sin(heading) = der(y) * cos(heading);
    }
}

mod l404_1 {
    lagrangian::lagrangian! {
        struct Bead { x, y: coordinate, m, r: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2;
        holonomic hoop: x^2 + y^2 = r^2;
    }
}

mod l405_1 {
    lagrangian::lagrangian! {
        struct Car { x, y, heading: coordinate, m, i, c: parameter }
        T = m * (der(x)^2 + der(y)^2) / 2 + i * der(heading)^2 / 2;
        nonholonomic speed: der(x) * cos(heading) + der(y) * sin(heading) = c;
    }
}

mod l406_1 {
    lagrangian::lagrangian! {
        struct Bead { x, y, z: coordinate, m: parameter }
        T = m * (der(x)^2 + der(y)^2 + der(z)^2) / 2;
        holonomic a: x = y;
        holonomic b: y = z;
    }
}

mod l406_2 {
    lagrangian::lagrangian! {
        struct Turned { a: rotation, m: parameter }
        frame Block = world.rotate(a);
        body { frame: Block, mass: m, inertia: diag(m, m, m) }
        let R = Block.rotation;
        holonomic turn: [R[0, 1], R[0, 2], R[1, 2]] = [0, 0, 0];
    }
}

mod l408_1 {
    lagrangian::lagrangian! {
        struct Bead { x: coordinate, t: time, m: parameter }
        T = m * der(x)^2 / 2;
        holonomic a: x = sin(t);
    }
}

mod l501_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = -x;
    }
}

mod l502_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = sum(i in 0..10, x^2 / (i + 1));
    }
}

mod l503_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        let unit = identity(4);
        V = x * trace(unit);
    }
}

mod l504_1 {
    lagrangian::lagrangian! {
        struct Net { r: coordinate[10, 3], m: parameter }
        T = m * trace(transpose(der(r)) * der(r)) / 2;
    }
}

mod l601_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/two_links.urdf" }
    }
}

mod l603_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/body.urdf" { base: free } }
    }
}

mod l604_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/two_links.urdf" }
        pub frame hand = arm.tool;
    }
}

mod l605_1 {
    lagrangian::lagrangian! {
        struct Hand { hand: robot = "../tests/robots/files/mimic.urdf" { friction: ignore }, u: input }
        Q.hand.drive = 0.5 * u;
    }
}

mod l606_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/two_links.urdf" }
        place arm at world.translate([0, 0, 1]);
        pub frame hand = arm.tool;
    }
}

mod l701_1 {
    lagrangian::lagrangian! {
        struct Pendulum { q: coordinate [rad], m: parameter [kg], l: parameter [m] }
        T = m * l^2 * der(q)^2 / 2;
    }
}

mod l702_1 {
    lagrangian::lagrangian! {
        struct Pendulum { q: coordinate [rad], m_1, m_2: parameter [kg], l: parameter [m] }
        T = (m_1 + m_2) * l^2 * der(q)^2 / 2;
    }
}

mod l902_1 {
    lagrangian::lagrangian! {
        struct Ball { x, y: coordinate, m, g: parameter }
        body { mass: m, at: [x, y] }
        gravity [0, -g];
    }
}

mod l903_1 {
    lagrangian::lagrangian! {
        struct Ball { y: coordinate, m, g: parameter }
        body { mass: m, at: [0, y] }
        gravity [0, -g];
    }
}

mod l904_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, l: parameter, u: input }
        frame Arm = world.rotate(z, theta);
        body { frame: Arm, mass: m, at: [0, -l, 0] }
        torque [0, 0, u] on Arm;
    }
}

mod l905_1 {
    lagrangian::lagrangian! {
        struct Pendulum { theta: coordinate, m, l, k: parameter }
        frame Arm = world.rotate(z, theta);
        body { frame: Arm, mass: m, at: [0, -l, 0] }
        spring { k: k, from: [l, 0, 0], to: Arm.point([0, -l, 0]) }
    }
}

mod l906_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m, c: parameter }
        T = m * der(x)^2 / 2;
        D = c * der(x)^2 / 2;
    }
}

mod l907_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        body { mass: m, at: [x, 0] }
    }
}

mod l908_1 {
    lagrangian::lagrangian! {
        struct Plate { att: rotation }
        frame B = world.rotate(att);
        body { frame: B, mass: 1, inertia: diag(1, 1, 2) }
    }
}

mod l909_1 {
    lagrangian::lagrangian! {
        struct Slope { s: coordinate, m, g: parameter }
        T = m * der(s)^2 / 2;
        V = m * g * s * sin(30 * pi / 180);
    }
}

mod l911_1 {
    lagrangian::lagrangian! {
        struct Wheel { x, phi: coordinate, m, i, r: parameter }
        T = m * der(x)^2 / 2 + i * der(phi)^2 / 2;
        holonomic rolling: x = r * phi;
    }
}

mod l912_1 {
    lagrangian::lagrangian! {
        struct Wheel { x, q: coordinate, m, r, f: parameter }
        frame W = world.translate([x, r, 0]).rotate(z, q);
        body { frame: W, mass: m, inertia: diag(0, 0, m * r^2) }
        force [f, 0, 0] at [x, 0, 0] on W;
    }
}

mod l913_1 {
    lagrangian::lagrangian! {
        struct Ball { y: coordinate, m: parameter, g: parameter = 9.81 }
        body { mass: m, at: [0, y] }
        gravity [0, -g];
    }
}

mod l914_1 {
    lagrangian::lagrangian! {
        struct Cart { x: coordinate, m, c: parameter }
        T = m * der(x)^2 / 2;
        damper { c: c, from: [0, 0], to: [x, 0] }
    }
}

mod l915_1 {
    lagrangian::lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        spring { k: 5, from: 0, to: x }
    }
}

mod l916_1 {
    lagrangian::lagrangian! {
        struct Mass { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = spline(x, [0, 1, 2], [0, 3, 4]);
    }
}

mod l917_1 {
    lagrangian::lagrangian! {
        struct Slider { x, y: coordinate, m, n: parameter }
        T = m * der(x)^2 / 2 + n * der(y)^2 / 2;
        V = 9.81 * n * y;
        holonomic floor: y = 0;
        regressor identify { m }
    }
}

mod l951_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/impossible.urdf" { inertia: as_given } }
    }
}

mod l952_1 {
    lagrangian::lagrangian! {
        struct Arm { arm: robot = "../tests/robots/files/pendulum.urdf" { friction: smooth(0.01) } }
    }
}

mod l953_1 {
    lagrangian::lagrangian! {
        struct Arm { q: coordinate, m: parameter }
        frame upper = world.rotate(x, pi / 2).rotate(z, q);
        body { frame: upper, mass: m, at: [1, 0, 0] }
    }
}
