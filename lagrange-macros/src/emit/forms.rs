//! The forms of the equations that are put together from other methods' values.

use lagrange_engine::Kinematics;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::assembly::{arguments, call, call_by_name, finite, invoke, ok, vector, vector_of};
use super::context::Context;
use super::methods::Method;
use super::signature::{Argument, Layout};

/// The body of a method that calls others, `None` if it does not.
pub(super) fn define(method: Method, context: &Context) -> Option<TokenStream> {
    let layout = &context.skeleton.layout;
    match method {
        Method::Solve => Some(without_multipliers(layout)),
        Method::Acceleration => Some(of_motion(layout)),
        Method::StateDerivative => Some(state_derivative(layout, true)),
        Method::StateDerivativeUnchecked => Some(state_derivative(layout, false)),
        Method::Rhs => Some(rhs(layout)),
        Method::MassMatrixFull => Some(mass_matrix_full(layout)),
        Method::ForcingFull => Some(forcing_full(layout)),
        Method::Integrate => Some(integrate(context.dynamics.kinematics())),
        Method::Difference => Some(difference(context.dynamics.kinematics())),
        Method::Neutral => Some(neutral(context.dynamics.kinematics())),
        _ => None,
    }
}

/// `solve` from `acceleration`, where nothing is constrained.
fn without_multipliers(layout: &Layout) -> TokenStream {
    let call = call("acceleration", layout);
    let none = vector(TokenStream::new());
    let motion = ok(quote!(__rt::Motion { acceleration: __a, multipliers: #none }));
    quote! {
        let __a = #call?;
        #motion
    }
}

/// `acceleration` from `solve`, where something is.
fn of_motion(layout: &Layout) -> TokenStream {
    let call = call("solve", layout);
    let acceleration = ok(quote!(__motion.acceleration));
    quote! {
        let __motion = #call?;
        #acceleration
    }
}

/// ```text
/// let __q = SVector [__y[0], __y[1]]; let __v = SVector [__y[2], __y[3]];
/// let __a = self.acceleration(&__q, &__v, u)?; let __a = &__a.data.0[0];
/// ```
///
/// Then `[dq/dt; a]` is an array of what the second value lists.
fn at_state(layout: &Layout, checked: bool, inputs: TokenStream) -> (TokenStream, TokenStream) {
    let (m, n) = (layout.coordinates, layout.velocities);
    let q = vector(elements("__y", 0..m));
    let v = vector(elements("__y", m..m + n));
    let method = if checked {
        "acceleration"
    } else {
        "acceleration_unchecked"
    };
    let question = checked.then(|| quote!(?));
    let with = |argument: &Argument| match argument {
        Argument::Q => quote!(&__q),
        Argument::V => quote!(&__v),
        Argument::U => inputs.clone(),
        other => other.tokens(),
    };
    let acceleration = invoke(method, &arguments(layout), with);
    let (rates, qdot) = if m == n {
        (TokenStream::new(), elements("__y", m..m + n))
    } else {
        let of = layout.arguments(&[Argument::Q, Argument::V]);
        let rates = invoke("coordinate_rates", &of, with);
        let binding = quote!(let __rates = #rates; let __rates = &__rates.data.0[0];);
        (binding, elements("__rates", 0..m))
    };
    let bindings = quote! {
        let __q = #q;
        let __v = #v;
        let __a = #acceleration #question;
        let __a = &__a.data.0[0];
        #rates
    };
    let a = elements("__a", 0..n);
    (bindings, quote!(#qdot #a))
}

fn state_derivative(layout: &Layout, checked: bool) -> TokenStream {
    let (bindings, rate) = at_state(layout, checked, quote!(u));
    let rate = vector(rate);
    let result = if checked { ok(rate) } else { rate };
    quote! {
        let __y = &y.data.0[0];
        #bindings
        #result
    }
}

fn rhs(layout: &Layout) -> TokenStream {
    // Where the system declares time, `acceleration` tests it.
    let time = (!layout.time).then(|| finite(&[Argument::T]));
    let inputs = (layout.inputs > 0).then(|| {
        let vector = vector_of(quote!(*u));
        quote!(let __u = #vector;)
    });
    let (bindings, rate) = at_state(layout, true, quote!(&__u));
    let done = ok(quote!(()));
    quote! {
        #time
        let __y = y;
        #inputs
        #bindings
        *dy = [#rate];
        #done
    }
}

/// `[I 0 0; 0 M -J^T; 0 J 0]`, by columns.
fn mass_matrix_full(layout: &Layout) -> TokenStream {
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let [rows, columns, last, size] = [m, n, m + n, m + n + c].map(Literal::usize_unsuffixed);
    let by_name = |name, all: &[Argument]| call_by_name(name, &layout.arguments(all));
    let mass_matrix = by_name("mass_matrix", &[Argument::Q, Argument::MassV]);
    let constraints = (c > 0).then(|| {
        let jacobian = by_name("constraint_jacobian", &[Argument::Q]);
        let count = Literal::usize_unsuffixed(c);
        // 0 - x and not -x: what is 0 stays free of a sign.
        quote! {
            let __j = #jacobian;
            for __i in 0..#columns {
                for __k in 0..#count {
                    __full[#rows + __i][#last + __k] = __j.data.0[__i][__k];
                    __full[#last + __k][#rows + __i] = __zero - __j.data.0[__i][__k];
                }
            }
        }
    });
    quote! {
        let __zero = __rt::math::constant::<S>(0.0);
        let mut __full = [[__zero; #size]; #size];
        for __i in 0..#rows {
            __full[__i][__i] = __rt::math::constant::<S>(1.0);
        }
        let __m = #mass_matrix;
        for __i in 0..#columns {
            for __k in 0..#columns {
                __full[#rows + __i][#rows + __k] = __m.data.0[__i][__k];
            }
        }
        #constraints
        __rt::SMatrix::from_array_storage(__rt::ArrayStorage(__full))
    }
}

/// `[dq/dt; f; gamma]`
fn forcing_full(layout: &Layout) -> TokenStream {
    let (m, n, c) = (layout.coordinates, layout.velocities, layout.constraints);
    let of_state = layout.arguments(&[Argument::Q, Argument::V]);
    let mut bindings = TokenStream::new();
    let mut entries = TokenStream::new();
    let mut part = |local: &str, value: TokenStream, length: usize| {
        let local_ident = ident(local);
        bindings.extend(quote! {
            let #local_ident = #value;
            let #local_ident = &#local_ident.data.0[0];
        });
        entries.extend(elements(local, 0..length));
    };
    if m == n {
        part("__rates", quote!(v), m);
    } else {
        part("__rates", call_by_name("coordinate_rates", &of_state), m);
    }
    part("__f", call("forcing", layout), n);
    if c > 0 {
        part("__g", call_by_name("constraint_gamma", &of_state), c);
    }
    let result = vector(entries);
    quote!(#bindings #result)
}

/// `[q[0] + d[0], ..]`, and of each rotation `R exp(d)`.
fn integrate(kinematics: &Kinematics) -> TokenStream {
    let rotations = kinematics.rotations().enumerate();
    let bindings = rotations.map(|(number, rotation)| {
        let q = elements("__q", rotation.coordinate..rotation.coordinate + 4);
        let d = elements("__d", rotation.velocity..rotation.velocity + 3);
        let local = turned(number);
        quote!(let #local = __rt::rotation::moved(&[#q], &[#d]);)
    });
    let bindings: TokenStream = bindings.collect();
    let entries = (0..kinematics.coordinate_count()).map(|i| {
        let at = Literal::usize_unsuffixed(i);
        match kinematics.velocity_of_coordinate(i) {
            Some(j) => {
                let j = Literal::usize_unsuffixed(j);
                quote!(__q[#at] + __d[#j],)
            }
            None => of_rotation(kinematics, i),
        }
    });
    let result = vector(entries.collect());
    quote! {
        let (__q, __d) = (&q.data.0[0], &d.data.0[0]);
        #bindings
        #result
    }
}

/// The entry of the turned quaternion that coordinate `i` is.
fn of_rotation(kinematics: &Kinematics, i: usize) -> TokenStream {
    let mut rotations = kinematics.rotations().enumerate();
    let own =
        rotations.find(|(_, rotation)| (rotation.coordinate..rotation.coordinate + 4).contains(&i));
    match own {
        Some((number, rotation)) => {
            let local = turned(number);
            let entry = Literal::usize_unsuffixed(i - rotation.coordinate);
            quote!(#local[#entry],)
        }
        None => TokenStream::new(),
    }
}

/// `[q1[0] - q0[0], ..]`, and of each rotation the displacement between both.
fn difference(kinematics: &Kinematics) -> TokenStream {
    let rotations = kinematics.rotations().enumerate();
    let bindings = rotations.map(|(number, rotation)| {
        let own = rotation.coordinate..rotation.coordinate + 4;
        let (from, to) = (elements("__q0", own.clone()), elements("__q1", own));
        let local = turned(number);
        quote!(let #local = __rt::rotation::difference(&[#from], &[#to]);)
    });
    let bindings: TokenStream = bindings.collect();
    let mut entries = TokenStream::new();
    for j in 0..kinematics.velocity_count() {
        let mut rotations = kinematics.rotations().enumerate();
        let own =
            rotations.find(|(_, rotation)| (rotation.velocity..rotation.velocity + 3).contains(&j));
        entries.extend(match own {
            Some((number, rotation)) => {
                let local = turned(number);
                let entry = Literal::usize_unsuffixed(j - rotation.velocity);
                quote!(#local[#entry],)
            }
            None => {
                let i = kinematics.coordinate_of_velocity(j).unwrap_or(j);
                let i = Literal::usize_unsuffixed(i);
                quote!(__q1[#i] - __q0[#i],)
            }
        });
    }
    let result = vector(entries);
    quote! {
        let (__q0, __q1) = (&q0.data.0[0], &q1.data.0[0]);
        #bindings
        #result
    }
}

/// Zeros, and (0, 0, 0, 1) for each rotation.
fn neutral(kinematics: &Kinematics) -> TokenStream {
    let entries = (0..kinematics.coordinate_count()).map(|i| {
        let is_real = kinematics
            .rotation_of_coordinate(i)
            .is_some_and(|rotation| rotation.coordinate + 3 == i);
        if is_real {
            quote!(__rt::math::constant::<S>(1.0),)
        } else {
            quote!(__rt::math::constant::<S>(0.0),)
        }
    });
    vector(entries.collect())
}

/// The local that holds what a rotation becomes.
fn turned(number: usize) -> Ident {
    ident(&format!("__r{number}"))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// `array[from], .., array[to - 1],`
fn elements(array: &str, range: std::ops::Range<usize>) -> TokenStream {
    let array = ident(array);
    let indices = range.map(Literal::usize_unsuffixed);
    quote!(#(#array[#indices],)*)
}
