//! A step in time by the classical Runge-Kutta method of order 4.

use super::builder::Builder;
use super::system::Routines;
use crate::codegen::Routine;
use crate::codegen::routine::{Step, View};

/// The stages and weights of the runtime's `rk4_step`: displacements of q are integrated by the velocities of the
/// stages, so quaternions keep unit length.
pub(super) fn rk4(routines: &Routines) -> Routine {
    let sizes = routines.sizes();
    let (m, n) = (sizes.coordinates, sizes.velocities);
    let mut builder = Builder::new(routines, "rk4_step", &["q", "v", "u", "h"]).fallible();
    let [q, v, h] = ["q", "v", "h"].map(|name| builder.argument(name));
    let inputs = builder.given("u");
    let (q_end, v_end) = (builder.vector("q_end", m), builder.vector("v_end", n));
    let time = builder.given("t").map(|t| {
        let [half, end] = [0.5, 1.0].map(|share| {
            let later = builder.local(1, 1);
            builder.copy(t, later);
            builder.add(share, h, later);
            later
        });
        [t, half, end]
    });
    let moved = |builder: &mut Builder, from: View, terms: &[(f64, View)], scale: View| {
        let (displacement, to) = (builder.local(1, n), builder.local(1, m));
        builder.fill(displacement, 0.0);
        for (factor, term) in terms {
            builder.add_scaled(*factor, scale, *term, displacement);
        }
        builder.call("integrate", vec![from, displacement], &[to]);
        to
    };
    let faster = |builder: &mut Builder, factor: f64, a: View| {
        let to = builder.local(1, n);
        builder.copy(v, to);
        builder.add_scaled(factor, h, a, to);
        to
    };
    let acceleration = |builder: &mut Builder, stage: usize, q: View, v: View| {
        let a = builder.local(1, n);
        let t = time.map(|times| times[stage]);
        let arguments = t.into_iter().chain([q, v]).chain(inputs).collect();
        builder.call("acceleration", arguments, &[a]);
        a
    };
    let a1 = acceleration(&mut builder, 0, q, v);
    let q2 = moved(&mut builder, q, &[(0.5, v)], h);
    let v2 = faster(&mut builder, 0.5, a1);
    let a2 = acceleration(&mut builder, 1, q2, v2);
    let q3 = moved(&mut builder, q, &[(0.5, v2)], h);
    let v3 = faster(&mut builder, 0.5, a2);
    let a3 = acceleration(&mut builder, 1, q3, v3);
    let q4 = moved(&mut builder, q2, &[(1.0, v3), (-0.5, v)], h);
    let v4 = faster(&mut builder, 1.0, a3);
    let a4 = acceleration(&mut builder, 2, q4, v4);
    let twelfth = 1.0 / 12.0;
    let middle = [(2.0 * twelfth, v2), (2.0 * twelfth, v3)];
    let first = [&[(3.0 * twelfth, v)], &middle[..], &[(-twelfth, v4)]].concat();
    let second = [&[(3.0 * twelfth, v4)], &middle[..], &[(-twelfth, v)]].concat();
    let half_way = moved(&mut builder, q, &first, h);
    let end = moved(&mut builder, half_way, &second, h);
    let faster = builder.local(1, n);
    builder.copy(v, faster);
    for (factor, a) in [(1.0, a1), (2.0, a2), (2.0, a3), (1.0, a4)] {
        builder.add_scaled(factor / 6.0, h, a, faster);
    }
    builder.step(Step::RequireFinite(vec![end, faster]));
    builder.copy(end, q_end);
    builder.copy(faster, v_end);
    builder.finish()
}
