//! `Default` exists exactly when every parameter has a default value.

use std::marker::PhantomData;

use lagrangian::lagrangian;

lagrangian! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct All {
        x: coordinate,
        m: parameter = 1 + 2,
        g: parameter = 9.81,
    }

    T = m * der(x)^2 / 2;
    V = m * g * x;
}

lagrangian! {
    struct Some_ {
        x: coordinate,
        m: parameter,
        g: parameter = 9.81,
    }

    T = m * der(x)^2 / 2;
    V = m * g * x;
}

lagrangian! {
    struct Without {
        x: coordinate,
        m, g: parameter,
    }

    T = m * der(x)^2 / 2;
    V = m * g * x;
}

lagrangian! {
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct NoParameters {
        x: coordinate,
        u: input,
    }

    T = der(x)^2 / 2;
    Q.x = u;
}

/// Asks whether `T` has a default value: the constant of the trait is found only where the one below
/// does not exist.
struct Probe<T>(PhantomData<T>);

trait Fallback {
    const HAS_DEFAULT: bool = false;
}

impl<T> Fallback for Probe<T> {}

impl<T: Default> Probe<T> {
    const HAS_DEFAULT: bool = true;
}

const _: () = {
    assert!(Probe::<All>::HAS_DEFAULT);
    assert!(Probe::<All<f32>>::HAS_DEFAULT);
    assert!(Probe::<NoParameters>::HAS_DEFAULT);
    assert!(!Probe::<Some_>::HAS_DEFAULT);
    assert!(!Probe::<Without>::HAS_DEFAULT);
    assert!(!Probe::<Some_<f32>>::HAS_DEFAULT);
};

#[test]
fn values() {
    let all = All::default();
    assert_eq!(all, All { m: 3.0, g: 9.81 });
    assert_eq!(All::<f32>::default().g, 9.81_f32);
    let other = All { m: 1.0, ..all };
    assert_eq!((other.m, other.g), (1.0, 9.81));
    assert_eq!(NoParameters::<f64>::default(), NoParameters::default());
    let (some, without) = (Some_ { m: 1.0, g: 2.0 }, Without { m: 1.0, g: 2.0 });
    assert_eq!([some.m, some.g], [without.m, without.g]);
}
