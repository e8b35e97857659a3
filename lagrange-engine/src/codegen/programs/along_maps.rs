//! The solution of the equations of motion without M: along the linear maps of the velocities.

use std::ops::Range;

use super::{Entries, Program, SolveProgram};
use crate::codegen::cost_model::FAR_PART;
use crate::codegen::cost_model::NEVER_UNROLLED;
use crate::codegen::solve::{MappedEquation, Updates};
use crate::forms::Form;
use crate::linear::LinearMaps;
use crate::{Dynamics, NodeId, Quantity};

/// The parts of such solutions.
pub(super) struct AlongMaps {
    maps: LinearMaps,
    terms: Entries,
    /// f and the other terms, the scales and the coefficients of the maps, simplified in every way.
    variants: Vec<Vec<NodeId>>,
    most: u32,
}

impl Dynamics {
    /// Such solutions in the form that is cheapest for f; `None` if M is singular at every state, or if the solution
    /// would take more than `most` operations.
    pub(super) fn along_maps(&self, others: &[Quantity], most: usize) -> Option<AlongMaps> {
        let quantities = [&SolveProgram::TERMS[1..], others].concat();
        let recursive = self.derive_entries(Form::Multibody, &quantities);
        let written = || self.derive_entries(Form::AsWritten, &quantities);
        if self.has_singular_mass_matrix() {
            return None;
        }
        let terms = recursive.or_else(written)?;
        let most = most.min(NEVER_UNROLLED) as u32;
        let maps = self.find_cheapest_maps(&terms, most)?;
        let scales = maps.scales(&mut self.derived().graph);
        let nodes = [&terms.nodes[..], &scales, &maps.entries()].concat();
        let variants = self.derived().simplify(&nodes);
        Some(AlongMaps {
            maps,
            terms,
            variants,
            most,
        })
    }

    /// The linear maps of the form with the fewest operations for the solution; `None` if these are more than `most`,
    /// or if T is given by the velocities alone.
    fn find_cheapest_maps(&self, terms: &Entries, most: u32) -> Option<LinearMaps> {
        let maps = [Form::AsWritten, Form::Multibody]
            .into_iter()
            .filter_map(|form| {
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

impl AlongMaps {
    /// The programs by the ways in which the terms are simplified.
    pub(super) fn programs(&self, dynamics: &Dynamics) -> Vec<(usize, SolveProgram)> {
        self.programs_of(dynamics, 0..self.variants.len())
    }

    /// The same; if the first program is far above this weight, no other is made.
    pub(super) fn programs_near(
        &self,
        dynamics: &Dynamics,
        weight: usize,
    ) -> Vec<(usize, SolveProgram)> {
        let mut programs = self.programs_of(dynamics, 0..1);
        let most = weight + weight / FAR_PART;
        let is_far = programs.iter().any(|(_, first)| first.weight() > most);
        if !is_far {
            programs.extend(self.programs_of(dynamics, 1..self.variants.len()));
        }
        programs
    }

    fn programs_of(
        &self,
        dynamics: &Dynamics,
        variants: Range<usize>,
    ) -> Vec<(usize, SolveProgram)> {
        let program = |variant| self.program(dynamics, variant, Updates::AtOnce);
        variants
            .filter_map(|variant| Some((variant, program(variant)?)))
            .collect()
    }

    /// The program by one of the ways; `None` if it would be too long.
    pub(super) fn program(
        &self,
        dynamics: &Dynamics,
        variant: usize,
        updates: Updates,
    ) -> Option<SolveProgram> {
        let (terms, factors) = self.variants.get(variant)?.split_at(self.terms.nodes.len());
        let (scales, entries) = factors.split_at(self.maps.velocities);
        let maps = self.maps.with_entries(entries);
        let equation = equation(&maps, scales, terms, &self.terms.parts);
        let code = equation.schedule(&dynamics.graph(), updates, self.most)?;
        let nothing = 0..0;
        Some(SolveProgram {
            terms: Program::new(
                code.schedule,
                terms.to_vec(),
                [&[nothing][..], &self.terms.parts].concat(),
            ),
            factorization: code.factorization,
        })
    }
}

/// The equation from f, J, gamma and the other requested terms.
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
