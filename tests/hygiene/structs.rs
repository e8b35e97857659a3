//! Names of the struct itself, and fields and outputs with the names of other items.

use lagrangian::lagrangian;
use lagrangian::nalgebra::SVector;

type Single = f32;

/// The value of `vector!`, which uses names that are hidden here.
fn column<const N: usize>(entries: [f64; N]) -> SVector<f64, N> {
    SVector::from(entries)
}

/// Asserts that systems work whose struct has one of these names, and systems that have all of them as parameters, as
/// coordinates and as outputs.
macro_rules! systems_called {
    ($($test:ident: $($name:ident)*;)*) => {$(
        #[test]
        fn $test() {
            $({
                lagrangian! {
                    #[derive(Clone, Copy, Debug, PartialEq)]
                    struct $name {
                        x, y: coordinate,
                        m: parameter = 2,
                        k: parameter[2] = 1,
                        u: input,
                    }
                    pub let end = [x, m * y];
                    T = m * (der(x)^2 + der(y)^2) / 2;
                    V = k[0] * x^2;
                    Q.x = u;
                    holonomic line: x = y;
                }
                let system = $name { m: 4.0, ..$name::default() };
                let (q, v, u) = (column([1.0, 1.0]), column([0.0, 0.0]), column([10.0]));
                assert_eq!(system.acceleration(&q, &v, &u), Ok(column([1.0, 1.0])));
                assert_eq!(system.end_jacobian(&q)[(1, 1)], 4.0);
                assert_eq!($name::<Single>::default().m.to_bits(), Single::to_bits(2.0));
                assert_eq!($name::COORDINATES, ["x", "y"]);
                assert_eq!(system.clone(), system);
            })*
            {
                lagrangian! {
                    #[derive(Clone, Debug)]
                    struct Holder { x: coordinate, $($name: parameter[2]),* }
                    $(T += $name[1] * der(x)^2 / 2;)*
                }
                let names = [$(stringify!($name)),*].len() as f64;
                let system = Holder { $($name: [1.0, 3.0]),* };
                assert_eq!(system.clone().mass_matrix(&column([1.0]))[0], 3.0 * names);
            }
            {
                lagrangian! {
                    struct Holder { $($name: coordinate,)* n: input }
                    $(T += der($name)^2 / 2;)*
                    $(Q.$name = n;)*
                }
                let zeros = SVector::zeros();
                let a = Holder::<Single>::default().acceleration(&zeros, &zeros, &SVector::from([3.0]));
                assert!(a.is_ok_and(|a| a.iter().all(|a| *a == 3.0)));
            }
            {
                lagrangian! {
                    #[derive(Clone, Debug)]
                    struct Holder { n: coordinate }
                    $(pub let $name = 2 * n;)*
                    T = der(n)^2 / 2;
                }
                $(assert_eq!(Holder::<Single>::default().clone().$name(&SVector::from([1.0])), 2.0);)*
            }
        }
    )*};
}

/// The same of structs without parameters, which hold their scalar in no field.
macro_rules! empty_systems_called {
    ($test:ident: $($name:ident)*) => {
        #[test]
        fn $test() {
            $({
                lagrangian! {
                    /// Without parameters.
                    #[derive(Clone, Debug)]
                    struct $name { x: coordinate, y: coordinate }
                    L = (der(x)^2 + der(y)^2) / 2;
                }
                let system: $name = $name::default();
                assert_eq!(system.lagrangian(&column([1.0, 1.0]), &column([1.0, 1.0])), 1.0);
            })*
        }
    };
}

#[allow(non_snake_case, non_camel_case_types)]
mod all {
    use super::*;

    systems_called! {
        type_parameters: S N K C Scalar R Self_ A B;
        raw: r#S;
        preludes: Result Option Vec String Box Ok Err Some None Copy Default Drop Into Iterator Sized;
        primitives: f64 f32 bool str usize u32 char i8;
        crates: core std alloc nalgebra lagrange_runtime;
        exports: Error System SVector SMatrix Motion Linearization Equations RealField PhantomData ArrayStorage;
        arguments: q v u t a p y dy r#type r#struct unused Value names lagrangian_declaration;
        derived: Debug PartialEq Formatter Hash;
    }

    empty_systems_called! {
        without_parameters: S N Scalar R r#S Self_ Option Some Copy Default f64 core SVector PhantomData RealField
            Error q r#type Value Debug
    }
}

/// Named from outside, with the scalar that its impls call by the struct's name.
mod public {
    lagrangian::lagrangian! {
        pub(super) struct S {
            t: time,
            x: coordinate,
            S: parameter = 3,
        }
        pub(super) let twice = 2 * S * x;
        T = S * der(x)^2 / 2;
        V = S * t * x;
    }
}

#[test]
fn a_struct_called_like_the_scalar_is_generic_too() {
    fn weight<R: lagrangian::nalgebra::RealField + Copy>(system: &public::S<R>) -> R {
        let state = SVector::<R, 1>::from([R::one()]);
        lagrangian::System::mass_matrix(system, R::one(), &state, &state, &SVector::zeros())[0]
    }
    assert_eq!(weight(&public::S::<Single>::default()), 3.0);
    assert_eq!(public::S::PARAMETERS, ["S"]);
    let system: public::S = public::S { S: 2.0 };
    assert_eq!(system.twice(1.0, &column([4.0])), 16.0);
}
