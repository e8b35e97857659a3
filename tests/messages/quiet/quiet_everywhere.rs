//! No warning: each is silenced on the statement, on the struct and on the module alike, in loops too; an underscore
//! silences any name.

#![deny(warnings)]

use lagrangian::lagrangian;

// Every warning of the macro's own, on the statement.
lagrangian! {
    struct OnStatements { x, y: coordinate, a: coordinate, m, g, k: parameter }
    frame Arm = world.rotate(z, a);
    T = m * (der(x)^2 + der(y)^2) / 2;
    body { frame: Arm, mass: m, at: [1, 0, 0] }
    #[allow(deprecated)]
    body { frame: Arm, mass: -1, inertia: diag(1, 1, 3) }
    #[allow(deprecated)]
    body { frame: Arm, mass: m, inertia: [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]] }
    #[allow(deprecated)]
    body { frame: Arm }
    gravity [0, 0, -g];
    V = k * x^2 / 2;
    #[allow(deprecated)]
    V += k;
    #[allow(deprecated)]
    D = k * x;
    #[allow(deprecated)]
    Q.x = -k * x;
    #[allow(deprecated)]
    torque [0, 0, k] on world;
    #[allow(deprecated)]
    spring { k: k, from: [0, 0], to: [1, 0] }
    #[allow(deprecated)]
    damper { c: k, from: [x, 0], to: [x, 0] }
    #[allow(deprecated)]
    let tilt = cos(45) * x;
    #[allow(deprecated)]
    frame Tilted = Arm.rotate(x, 90);
    pub let far = Tilted.origin * tilt;
    #[allow(deprecated)]
    holonomic together: (x - y)^2 = 0;
    #[allow(deprecated)]
    for i in 0..2 {
        force [k, i] at [1, 0];
        for j in 0..2 { V += k * cos(90) * (i + j); }
    }
}

lagrangian! {
    struct WeightOnStatement { x, y: coordinate, m, g: parameter }
    body { mass: m, at: [x, y] }
    gravity [0, -g];
    #[allow(deprecated)]
    V = m * g * y;
    #[allow(deprecated)]
    nonholonomic roll: der(x) = der(y);
}

// The same on the struct.
lagrangian! {
    #[allow(deprecated)]
    struct OnStruct { x, y: coordinate, m, g, k: parameter }
    body { mass: m, at: [x, y] }
    body { at: [x, y] }
    gravity [0, -g];
    V = m * g * y + k;
    D = k * x;
    force [k, 0] at [1, 0];
    torque [0, 0, k] on world;
    spring { k: k, from: [0, 0], to: [1, 0] }
    damper { c: k, from: [x, 0], to: [x, 0] }
    pub let far = sin(90) * x;
    nonholonomic roll: der(x) = der(y);
}

// On the module.
#[allow(deprecated, unused_variables)]
mod inner {
    lagrangian::lagrangian! {
        pub struct OnModule { x, y: coordinate, m, g, k, spare: parameter, u: input, t: time }
        let height = x;
        frame Spare = world.translate([x, 0, 0]);
        body { mass: m, at: [x, y] }
        body { mass: -1, at: [x, y] }
        gravity [0, -g];
        V = m * g * y + k;
        D = k * x;
        force [k, 0] at [1, 0];
        pub let far = tan(90) * x;
        holonomic together: (x - y)^2 = 0;
    }
}

// An underscore, of every kind of name.
lagrangian! {
    struct Underscores { x: coordinate, m, _k: parameter, _a: parameter[3], _u: input, _t: time }
    let _height = x;
    let mut _sum = 0;
    frame _Spare = world.translate([x, 0, 0]);
    frame mut _Next = world;
    for _i in 0..2 {
        let _inner = 2 * x;
        frame _Inner = world.rotate(z, x);
        T += m * der(x)^2 / 2;
    }
}

// The constants of `Name<f64>` need no type of numbers.
impl Underscores<f64> {
    const FIRST: &'static str = Self::COORDINATES[0];

    fn numbers() -> [usize; 3] {
        [
            Self::COORDINATES.len(),
            Self::PARAMETERS.len(),
            Self::INPUTS.len(),
        ]
    }
}

pub(super) fn main() {
    let _ = inner::OnModule {
        m: 1.0,
        g: 9.81,
        k: 1.0,
        spare: 0.0,
    };
    let system = Underscores {
        m: 1.0,
        _k: 1.0,
        _a: [0.0; 3],
    };
    assert_eq!(
        system.mass_matrix(0.0, &lagrangian::vector![0.0])[(0, 0)],
        2.0
    );
    assert_eq!(Underscores::FIRST, Underscores::COORDINATES[0]);
    assert_eq!(Underscores::numbers(), [1, 5, 1]);
    assert_eq!(Underscores::DEGREES_OF_FREEDOM, 1);
    let _ = (
        OnStatements::CYCLIC,
        OnStruct::CONSTRAINTS,
        WeightOnStatement::CONSERVES_ENERGY,
    );
}
