//! Derivatives of outputs against dual numbers through the outputs themselves.

use lagrangian::Derivatives;
use lagrangian::nalgebra::{RealField, SMatrix, SVector, convert};
use num_dual::{Dual64, HyperDual64};

use crate::craft::{Craft, Q, State, U, V, states};
use crate::support::assert_close;

const TOLERANCE: f64 = 1e-11;

/// A state in other scalars, displaced by d, with its velocities and inputs changed.
struct Displaced<S> {
    t: S,
    q: Q<S>,
    v: V<S>,
    u: U<S>,
}

/// The displacement of q, then changes of v and u.
type Change<S> = SVector<S, 15>;

fn displaced<S: RealField + Copy>(state: &State, change: &Change<S>) -> Displaced<S> {
    let craft = craft::<S>();
    let q = state.q.map(convert);
    Displaced {
        t: convert(state.t),
        q: craft.integrate(&q, &change.fixed_rows::<6>(0).into_owned()),
        v: state.v.map(convert) + change.fixed_rows::<6>(6),
        u: state.u.map(convert) + change.fixed_rows::<3>(12),
    }
}

fn craft<S: RealField + Copy>() -> Craft<S> {
    Craft {
        l: convert(0.7),
        w: convert(1.3),
    }
}

/// The derivative of an output of R entries along one direction of q, v and u.
fn along<const R: usize>(
    state: &State,
    direction: usize,
    output: impl Fn(&Craft<Dual64>, &Displaced<Dual64>) -> SVector<Dual64, R>,
) -> SVector<f64, R> {
    let mut change = Change::from_element(Dual64::from_re(0.0));
    change[direction].eps = 1.0;
    output(&craft(), &displaced(state, &change)).map(|entry| entry.eps)
}

/// All of them, as `Derivatives` has them.
fn derivatives<const R: usize>(
    state: &State,
    output: impl Fn(&Craft<Dual64>, &Displaced<Dual64>) -> SVector<Dual64, R>,
) -> Derivatives<f64, R, 6, 3> {
    let mut all = SMatrix::<f64, R, 15>::zeros();
    for direction in 0..15 {
        all.set_column(direction, &along(state, direction, &output));
    }
    Derivatives {
        q: all.fixed_columns::<6>(0).into_owned(),
        v: all.fixed_columns::<6>(6).into_owned(),
        z: SMatrix::zeros(),
        u: all.fixed_columns::<3>(12).into_owned(),
    }
}

fn compare<const R: usize>(
    what: &str,
    found: &Derivatives<f64, R, 6, 3>,
    expected: &Derivatives<f64, R, 6, 3>,
) {
    assert_close(&format!("{what} by q"), &found.q, &expected.q, TOLERANCE);
    assert_close(&format!("{what} by v"), &found.v, &expected.v, TOLERANCE);
    assert_close(&format!("{what} by u"), &found.u, &expected.u, TOLERANCE);
}

#[test]
fn by_displacements_velocities_and_inputs() {
    let craft = craft::<f64>();
    for state in states() {
        let State { t, q, v, u, .. } = &state;
        let expected = derivatives(&state, |c, s| c.spin(s.t, &s.q, &s.v));
        compare("spin", &craft.spin_derivatives(*t, q, v), &expected);
        let expected = derivatives(&state, |c, s| c.load(s.t, &s.q, &s.v, &s.u));
        compare("load", &craft.load_derivatives(*t, q, v, u), &expected);
        let expected = derivatives(&state, |c, s| [c.power(s.t, &s.q, &s.v, &s.u)].into());
        compare("power", &craft.power_derivatives(*t, q, v, u), &expected);
        let expected = derivatives(&state, |c, s| [c.cost(s.t, &s.q, &s.v, &s.u)].into());
        compare("cost", &craft.cost_derivatives(*t, q, v, u), &expected);
        let expected = derivatives(&state, |c, s| [c.swing(s.t, &s.q, &s.v)].into());
        compare("swing", &craft.swing_derivatives(*t, q, v), &expected);
        let expected = derivatives(&state, |c, s| [c.reach(s.t, &s.q)].into());
        compare("reach", &craft.reach_derivatives(*t, q, v), &expected);
        assert_close("J", &craft.reach_jacobian(*t, q), &expected.q, TOLERANCE);
        let expected = derivatives(&state, |c, s| c.tip(s.t, &s.q));
        assert_close("J", &craft.tip_jacobian(*t, q), &expected.q, TOLERANCE);
    }
}

/// Second derivatives of the value at `integrate(q, d)`, v + w and u + e by hyper-dual numbers.
fn hessian(
    state: &State,
    output: impl Fn(&Craft<HyperDual64>, &Displaced<HyperDual64>) -> HyperDual64,
) -> SMatrix<f64, 15, 15> {
    SMatrix::from_fn(|i, j| {
        let mut change = Change::from_element(HyperDual64::from_re(0.0));
        change[i].eps1 = 1.0;
        change[j].eps2 = 1.0;
        output(&craft(), &displaced(state, &change)).eps1eps2
    })
}

#[test]
fn hessians_on_the_manifold() {
    let craft = craft::<f64>();
    for state in states() {
        let State { t, q, v, u, .. } = &state;
        let found = [
            ("cost", craft.cost_hessian(*t, q, v, u)),
            ("swing", craft.swing_hessian(*t, q, v)),
            ("reach", craft.reach_hessian(*t, q, v)),
        ];
        let expected = [
            hessian(&state, |c, s| c.cost(s.t, &s.q, &s.v, &s.u)),
            hessian(&state, |c, s| c.swing(s.t, &s.q, &s.v)),
            hessian(&state, |c, s| c.reach(s.t, &s.q)),
        ];
        for ((what, found), expected) in found.into_iter().zip(expected) {
            assert_close(what, &found, &expected, TOLERANCE);
            assert_eq!(found, found.transpose(), "{what}");
        }
    }
}

/// The state a time eps later on a motion with accelerations a.
fn moving(state: &State, a: &V<f64>) -> Displaced<Dual64> {
    let rate = |value: f64, eps: f64| Dual64::new(value, eps);
    let mut change = Change::from_element(Dual64::from_re(0.0));
    for i in 0..6 {
        change[i].eps = state.v[i];
        change[6 + i].eps = a[i];
    }
    Displaced {
        t: rate(state.t, 1.0),
        ..displaced(state, &change)
    }
}

/// The rate of the value, and that of the rate: J a + bias.
#[test]
fn rates_along_a_motion() {
    let (craft, dual) = (craft::<f64>(), craft::<Dual64>());
    for state in states() {
        let State { t, q, v, a, .. } = &state;
        let later = moving(&state, a);
        let rate = dual.tip(later.t, &later.q).map(|entry| entry.eps);
        assert_close("rate", &craft.tip_rate(*t, q, v), &rate, TOLERANCE);
        let second = dual.tip_rate(later.t, &later.q, &later.v);
        let found = craft.tip_jacobian(*t, q) * a + craft.tip_bias(*t, q, v);
        assert_close("J a + bias", &found, &second.map(|e| e.eps), TOLERANCE);

        let rate = dual.reach(later.t, &later.q).eps;
        let found = craft.reach_rate(*t, q, v);
        assert_close("rate", &[found].into(), &SVector::from([rate]), TOLERANCE);
        let second = dual.reach_rate(later.t, &later.q, &later.v).eps;
        let found = (craft.reach_jacobian(*t, q) * a)[0] + craft.reach_bias(*t, q, v);
        assert_close(
            "J a + bias",
            &[found].into(),
            &SVector::from([second]),
            TOLERANCE,
        );

        let zeros = SVector::<f64, 3>::zeros();
        assert_eq!(craft.sizes_jacobian(*t, q), SMatrix::<f64, 3, 6>::zeros());
        assert_eq!(craft.sizes_rate(*t, q, v), zeros);
        assert_eq!(craft.sizes_bias(*t, q, v), zeros);
    }
}
