//! An arm of seven joints with diagonal inertias, by its size a KUKA LBR iiwa 14.

use lagrangian::lagrangian;

lagrangian! {
    pub struct Iiwa {
        q: coordinate[7],
        u: input[7],
    }

    frame First = world
        .translate([0, 0, 0.1575])
        .rotate(z, q[0]);
    body {
        frame: First,
        mass: 5.76,
        at: [0, -0.03, 0.12],
        inertia: diag(0.033, 0.0333, 0.0123),
    }

    frame Second = First
        .translate([0, 0, 0.2025])
        .orient([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
        .rotate(z, q[1]);
    body {
        frame: Second,
        mass: 6.35,
        at: [0.0003, 0.059, 0.042],
        inertia: diag(0.0305, 0.0304, 0.011),
    }

    frame Third = Second
        .translate([0, 0.2045, 0])
        .orient([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
        .rotate(z, q[2]);
    body {
        frame: Third,
        mass: 3.5,
        at: [0, 0.03, 0.13],
        inertia: diag(0.025, 0.0238, 0.0076),
    }

    frame Fourth = Third
        .translate([0, 0, 0.2155])
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[3]);
    body {
        frame: Fourth,
        mass: 3.5,
        at: [0, 0.067, 0.034],
        inertia: diag(0.017, 0.0164, 0.006),
    }

    frame Fifth = Fourth
        .translate([0, 0.1845, 0])
        .orient([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
        .rotate(z, q[4]);
    body {
        frame: Fifth,
        mass: 3.5,
        at: [0.0001, 0.021, 0.076],
        inertia: diag(0.01, 0.0087, 0.00449),
    }

    frame Sixth = Fifth
        .translate([0, 0, 0.2155])
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[5]);
    body {
        frame: Sixth,
        mass: 1.8,
        at: [0, 0.0006, 0.0004],
        inertia: diag(0.0049, 0.0047, 0.0036),
    }

    frame Seventh = Sixth
        .translate([0, 0.081, 0])
        .orient([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
        .rotate(z, q[6]);
    body {
        frame: Seventh,
        mass: 1.2,
        at: [0, 0, 0.02],
        inertia: diag(0.001, 0.001, 0.001),
    }

    pub frame hand = Seventh
        .translate([0.01, -0.02, 0.045])
        .orient([[0, 0, 1], [1, 0, 0], [0, 1, 0]]);

    gravity [0, 0, -9.81];
    Q.q = u;
}
