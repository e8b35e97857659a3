//! An arm of seven joints with all products of inertia: the Franka Panda with its hand.

use lagrangian::lagrangian;

use crate::check::arm_test;

lagrangian! {
    struct Panda {
        q: coordinate[7],
        u: input[7],
    }

    frame First = world
        .translate([0, 0, 0.333])
        .rotate(z, q[0]);
    body {
        frame: First,
        mass: 4.970684,
        at: [0.003875, 0.002081, -0.04762],
        inertia: [
            [0.70337, -0.000139, 0.006772],
            [-0.000139, 0.70661, 0.019169],
            [0.006772, 0.019169, 0.009117],
        ],
    }

    frame Second = First
        .orient([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        .rotate(z, q[1]);
    body {
        frame: Second,
        mass: 0.646926,
        at: [-0.003141, -0.02872, 0.003495],
        inertia: [
            [0.007962, -0.003925, 0.010254],
            [-0.003925, 0.02811, 0.000704],
            [0.010254, 0.000704, 0.025995],
        ],
    }

    frame Third = Second
        .translate([0, -0.316, 0])
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[2]);
    body {
        frame: Third,
        mass: 3.228604,
        at: [0.027518, 0.039252, -0.066502],
        inertia: [
            [0.037242, -0.004761, -0.011396],
            [-0.004761, 0.036155, -0.012805],
            [-0.011396, -0.012805, 0.01083],
        ],
    }

    frame Fourth = Third
        .translate([0.0825, 0, 0])
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[3]);
    body {
        frame: Fourth,
        mass: 3.587895,
        at: [-0.05317, 0.104419, 0.027454],
        inertia: [
            [0.025853, 0.007796, -0.001332],
            [0.007796, 0.019552, 0.008641],
            [-0.001332, 0.008641, 0.028323],
        ],
    }

    frame Fifth = Fourth
        .translate([-0.0825, 0.384, 0])
        .orient([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        .rotate(z, q[4]);
    body {
        frame: Fifth,
        mass: 1.225946,
        at: [-0.011953, 0.041065, -0.038437],
        inertia: [
            [0.035549, -0.002117, -0.004037],
            [-0.002117, 0.029474, 0.000229],
            [-0.004037, 0.000229, 0.008627],
        ],
    }

    frame Sixth = Fifth
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[5]);
    body {
        frame: Sixth,
        mass: 1.666555,
        at: [0.060149, -0.014117, -0.010517],
        inertia: [
            [0.001964, 0.000109, -0.001158],
            [0.000109, 0.004354, 0.000341],
            [-0.001158, 0.000341, 0.005433],
        ],
    }

    frame Seventh = Sixth
        .translate([0.088, 0, 0])
        .orient([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
        .rotate(z, q[6]);
    body {
        frame: Seventh,
        mass: 1.495522,
        at: [0.0017208742976286579, 0.00136035441716123, 0.1004852811486558],
        inertia: [
            [0.016529853712635, 0.000394892297119, -0.000706695710615],
            [0.000394892297119, 0.014107248642162, -0.001051105327047],
            [-0.000706695710615, -0.001051105327047, 0.006676955556641],
        ],
    }

    pub frame hand = Seventh
        .translate([0, 0, 0.107])
        .orient([[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]]);

    gravity [0, 0, -9.81];
    Q.q = u;
}

arm_test! { panda: Panda }
