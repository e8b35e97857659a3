//! Systems without constraints.

use lagrangian::lagrangian;
use lagrangian::nalgebra::{SimdRealField, convert, vector};
use num_dual::Dual64;

use crate::check::{Random, check};

lagrangian! {
    /// A cart with a pendulum, on a spring that stiffens, with dry and quadratic friction.
    struct Cart {
        x, theta: coordinate,
        m, l, k: parameter,
        u: input[2],
    }

    let bob = [x + l * sin(theta), -l * cos(theta)];
    let speed = der(x);

    T = m * der(x)^2 + m * der(bob)^2 / 2;
    V = m * 9.81 * bob.y + k * x^2 / 2 + if x > 0 { x^4 } else { 0 };
    D = der(theta)^2 * (1 + x^2) / 20;
    Q.x = u[0] * cos(theta) - 0.1 * tanh(3 * speed) - 0.3 * speed * abs(speed);
    force [0, u[1]] at bob;
}

fn cart<S: SimdRealField + Copy>() -> Cart<S> {
    Cart::new(convert(1.5), convert(0.5), convert(4.0))
}

#[test]
fn cart_with_friction() {
    let mut random = Random(0xCA47);
    for _ in 0..5 {
        let state = (0.0, random.vector(), random.vector() * 2.0, random.vector());
        check((&cart::<f64>(), &cart::<Dual64>()), &state);
    }
}

lagrangian! {
    /// A planar pendulum of five links.
    struct Chain {
        q: coordinate[5],
        m, l: parameter[5] = 1,
        g: parameter = 9.81,
    }

    let mut x = 0;
    let mut y = 0;
    for i in 0..5 {
        x += l[i] * sin(q[i]);
        y -= l[i] * cos(q[i]);
        T += m[i] * der([x, y])^2 / 2;
        V += m[i] * g * y;
    }
}

#[test]
fn chain_of_links() {
    let mut random = Random(0xC4A1);
    for _ in 0..5 {
        let state = (0.0, random.vector() * 3.0, random.vector() * 2.0, vector![]);
        check(
            (&Chain::<f64>::default(), &Chain::<Dual64>::default()),
            &state,
        );
    }
}

lagrangian! {
    /// Given by its Lagrangian, with time: M depends on the velocities.
    struct Relativistic { t: time, x, y: coordinate, m, c, omega: parameter = 1, e: input }

    L = -m * c^2 * sqrt(1 - (der(x)^2 + der(y)^2) / c^2) - x * cos(omega * t) + x^2 * y * der(y);
    Q.y = e * x;
}

#[test]
fn given_by_its_lagrangian() {
    let mut random = Random(0x5EE);
    for _ in 0..5 {
        let (t, v) = (random.number(), random.vector() * 0.5);
        let state = (t, random.vector(), v, random.vector());
        check(
            (
                &Relativistic::<f64>::default(),
                &Relativistic::<Dual64>::default(),
            ),
            &state,
        );
    }
}

lagrangian! {
    /// Arrays, loops, frames, bodies, springs and dampers: an arm whose joints turn about changing axes, on a base
    /// that is moved.
    struct Arm {
        q: coordinate[4],
        m, l: parameter[4] = 1,
        k, c: parameter = 1,
        t: time,
        tau: input[4],
    }

    gravity [0, 0, -9.81];
    frame mut End = world.translate([0.1 * sin(t), 0, 0]);
    for i in 0..4 {
        frame Link = End.rotate([i, 1, 2], q[i]);
        body link {
            frame: Link,
            mass: m[i],
            at: [l[i] / 2, 0.1, 0],
            inertia: diag(0, m[i] * l[i]^2 / 12, m[i] * l[i]^2 / 12),
        }
        torque Link.vector([0, 0, tau[i]]) on Link;
        End = Link.translate([l[i], 0, 0]);
    }
    spring { k, rest: 0.5, from: [1, 2, 3], to: End.origin }
    damper { c, from: [3, 2, 1], to: End.point([0, 0.1, 0]) }
    force [0, 1, 0.3] at End.origin;
}

#[test]
fn arm_with_springs() {
    let mut random = Random(0xA51);
    for _ in 0..3 {
        let (q, v) = (random.vector() * 2.0, random.vector() * 2.0);
        let state = (random.number(), q, v, random.vector());
        check((&Arm::<f64>::default(), &Arm::<Dual64>::default()), &state);
    }
}
