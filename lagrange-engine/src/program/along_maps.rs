//! The solution of the equations of motion without M: along the linear maps of the velocities.

use std::ops::Range;

use super::{Entries, Program, SolveProgram};
use crate::forms::Form;
use crate::linear::LinearMaps;
use crate::schedule::{MappedEquation, NEVER_UNROLLED};
use crate::{Dynamics, NodeId, Quantity};

impl Dynamics {
    /// Such programs in the form that is cheapest for f, simplified in every way; none where M is singular at
    /// every state, or where the solution would take more than so many operations.
    pub(super) fn solved_along_maps(&self, others: &[Quantity], most: usize) -> Vec<SolveProgram> {
        let quantities = [&SolveProgram::TERMS[1..], others].concat();
        let recursive = self.entries(Form::Multibody, &quantities);
        let written = || self.entries(Form::AsWritten, &quantities);
        let (false, Some(terms)) = (self.has_singular_mass_matrix(), recursive.or_else(written))
        else {
            return Vec::new();
        };
        let most = most.min(NEVER_UNROLLED) as u32;
        let Some(maps) = self.cheapest_maps(&terms, most) else {
            return Vec::new();
        };
        let scales = maps.scales(&mut self.derived().graph);
        let nodes = [&terms.nodes[..], &scales, &maps.entries()].concat();
        let ways = self.derived().simplify(&nodes).into_iter();
        let programs = ways.filter_map(|way| {
            let (own, rest) = way.split_at(terms.nodes.len());
            let (scales, entries) = rest.split_at(scales.len());
            let maps = maps.with_entries(entries);
            let equation = equation(&maps, scales, own, &terms.parts);
            let code = equation.schedule(&self.graph(), most)?;
            let nothing = 0..0;
            Some(SolveProgram {
                terms: Program {
                    schedule: code.schedule,
                    expressions: own.to_vec(),
                    parts: [&[nothing][..], &terms.parts].concat(),
                },
                factorization: code.factorization,
            })
        });
        programs.collect()
    }

    /// The linear maps of the form along which the solution takes the fewest operations; `None` where that is
    /// more than so many, or where T is given by the velocities alone.
    fn cheapest_maps(&self, terms: &Entries, most: u32) -> Option<LinearMaps> {
        let forms = [Form::AsWritten, Form::Multibody].into_iter();
        let maps = forms.filter_map(|form| {
            let maps = self.deriving(|derivation| derivation.linear_maps(form))?;
            if maps.definitions.is_empty() {
                return None;
            }
            let scales = maps.scales(&mut self.derived().graph);
            let equation = equation(&maps, &scales, &terms.nodes, &terms.parts);
            let operations = equation.operations(&self.graph(), most)?;
            Some((operations, maps))
        });
        let (_, maps) = maps.min_by_key(|(operations, _)| *operations)?;
        Some(maps)
    }
}

/// From f, J, gamma and what else was asked for.
fn equation<'a>(
    maps: &'a LinearMaps,
    scales: &'a [NodeId],
    nodes: &'a [NodeId],
    parts: &[Range<usize>],
) -> MappedEquation<'a> {
    let part = |i: usize| &nodes[parts[i].clone()];
    MappedEquation {
        maps,
        scales,
        forcing: part(0),
        jacobian: part(1),
        gamma: part(2),
        others: &nodes[parts[2].end..],
    }
}
