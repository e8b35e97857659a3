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
    let mut builder = Builder::new(routines, "rk4_step", &["q", "v", "z", "u", "h"]).fallible();
    let [q, v, h] = ["q", "v", "h"].map(|name| builder.argument(name));
    let z = builder.given("z");
    let inputs = builder.given("u");
    let (q_end, v_end) = (builder.vector("q_end", m), builder.vector("v_end", n));
    let z_end = z.map(|z| builder.vector("z_end", z.len()));
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
    let changed = |builder: &mut Builder, from: View, factor: f64, rate: View| {
        let to = builder.local(1, from.len());
        builder.copy(from, to);
        builder.add_scaled(factor, h, rate, to);
        to
    };
    // v and z.
    let next = |builder: &mut Builder, factor: f64, (a, rates): (View, Option<View>)| {
        let v = changed(builder, v, factor, a);
        let z = z.zip(rates);
        (v, z.map(|(z, rates)| changed(builder, z, factor, rates)))
    };
    // The rates of v and z.
    let rates = |builder: &mut Builder, stage: usize, q: View, (v, z): (View, Option<View>)| {
        let a = builder.local(1, n);
        let arguments: Vec<View> = time
            .map(|times| times[stage])
            .into_iter()
            .chain([q, v])
            .chain(z)
            .chain(inputs)
            .collect();
        builder.call("acceleration", arguments.clone(), &[a]);
        let of_states = z.map(|z| {
            let rates = builder.local(1, z.len());
            builder.call("state_rates", arguments, &[rates]);
            rates
        });
        (a, of_states)
    };
    let rates1 = rates(&mut builder, 0, q, (v, z));
    let q2 = moved(&mut builder, q, &[(0.5, v)], h);
    let (v2, z2) = next(&mut builder, 0.5, rates1);
    let rates2 = rates(&mut builder, 1, q2, (v2, z2));
    let q3 = moved(&mut builder, q, &[(0.5, v2)], h);
    let (v3, z3) = next(&mut builder, 0.5, rates2);
    let rates3 = rates(&mut builder, 1, q3, (v3, z3));
    let q4 = moved(&mut builder, q2, &[(1.0, v3), (-0.5, v)], h);
    let (v4, z4) = next(&mut builder, 1.0, rates3);
    let rates4 = rates(&mut builder, 2, q4, (v4, z4));
    let twelfth = 1.0 / 12.0;
    let middle = [(2.0 * twelfth, v2), (2.0 * twelfth, v3)];
    let first = [&[(3.0 * twelfth, v)], &middle[..], &[(-twelfth, v4)]].concat();
    let second = [&[(3.0 * twelfth, v4)], &middle[..], &[(-twelfth, v)]].concat();
    let half_way = moved(&mut builder, q, &first, h);
    let end = moved(&mut builder, half_way, &second, h);
    let stages = [(rates1, 1.0), (rates2, 2.0), (rates3, 2.0), (rates4, 1.0)];
    let mut ends = vec![(end, q_end)];
    let of_velocities = stages.map(|((a, _), weight)| (a, weight)).to_vec();
    let of_states: Vec<(View, f64)> = stages
        .into_iter()
        .filter_map(|((_, rates), weight)| Some((rates?, weight)))
        .collect();
    let sums = [(Some((v, v_end)), of_velocities), (z.zip(z_end), of_states)];
    for (state, rates) in sums {
        let Some((from, to)) = state else { continue };
        let sum = builder.local(1, from.len());
        builder.copy(from, sum);
        for (rate, weight) in rates {
            builder.add_scaled(weight / 6.0, h, rate, sum);
        }
        ends.push((sum, to));
    }
    builder.step(Step::RequireFinite(
        ends.iter().map(|(sum, _)| *sum).collect(),
    ));
    for (from, to) in ends {
        builder.copy(from, to);
    }
    builder.finish()
}
