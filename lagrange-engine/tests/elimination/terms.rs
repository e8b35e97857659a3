//! The terms of the equations of motion at a state, and how exactly they are known.

use lagrange_engine::{Complex, Dynamics, Graph, NodeId, SolveProgram, Symbol};

/// How many times the rounding of one operation, on numbers of the sizes that went in, a term may be off by.
const ROUNDINGS: f64 = 16.0;

/// An entry, and the size of the numbers whose rounding it carries.
#[derive(Clone, Copy)]
struct Entry {
    value: f64,
    size: f64,
}

/// M, f, J and gamma, each row by row.
pub(super) struct Terms([Vec<Entry>; 4]);

impl Terms {
    /// As the expressions say.
    pub(super) fn written(dynamics: &Dynamics, at: &dyn Fn(Symbol) -> f64) -> Self {
        let expressions = SolveProgram::TERMS.map(|quantity| dynamics.expressions(quantity));
        Self::of(
            &dynamics.graph(),
            expressions.each_ref().map(Vec::as_slice),
            at,
        )
    }

    fn of(graph: &Graph, parts: [&[NodeId]; 4], at: &dyn Fn(Symbol) -> f64) -> Self {
        Terms(parts.map(|nodes| {
            let values = graph.evaluate(nodes, at);
            let probes = graph.evaluate_complex(nodes, &|symbol| Complex::real(at(symbol)));
            let entries = values.into_iter().zip(probes);
            let entries = entries.map(|(value, probe)| Entry {
                value,
                size: probe.scale,
            });
            entries.collect()
        }))
    }

    /// The values of a program, as its code computes them; M as it is here where the program has none. All are those
    /// here but for the rounding of both, or it panics.
    pub(super) fn computed(
        &self,
        program: &SolveProgram,
        at: &dyn Fn(Symbol) -> f64,
    ) -> [Vec<f64>; 4] {
        let parts = [0, 1, 2, 3];
        let simplified = parts.map(|part| program.terms.expressions_of(part));
        let simplified = Self::of(&program.terms.graph, simplified, at);
        let mut code = program.terms.schedule.clone();
        parts.map(|part| {
            code.roots = program.terms.results(part).to_vec();
            let entries = &self.0[part];
            if part == 0 && !program.has_mass_matrix() {
                return entries.iter().map(|entry| entry.value).collect();
            }
            let values = code.evaluate(at);
            let sizes = entries.iter().zip(&simplified.0[part]);
            for (value, (written, simplified)) in values.iter().zip(sizes) {
                // Numbers of about 1 may have cancelled before there was an expression.
                let size = (written.size + simplified.size).max(1.0);
                let rounding = ROUNDINGS * f64::EPSILON * size;
                let is_it = (value - written.value).abs() <= rounding;
                assert!(is_it, "{value} for {} of part {part}", written.value);
            }
            values
        })
    }
}
