//! Which bodies the recursion along frames takes, and what is left beside them.

use lagrange_engine::{Dependence, Energy, NodeId, Number, Recursive};

use super::{Mass, Position};
use crate::lower::Lowering;
use crate::lower::frames::space::{self, Vector};
use crate::lower::frames::{FrameId, RigidBody};
use crate::lower::value::Value;

impl Lowering<'_> {
    /// The recursive form of what the bodies in frames say; `None` where there is none, or after a
    /// mistake. Bodies of the world, those whose mass or inertia moves, and those in frames that may
    /// be turned by no rotation stay among the rest.
    pub(crate) fn recursive(&mut self) -> Option<Recursive> {
        if self.energies.lagrangian.is_given() || !self.evaluator.errors.is_empty() {
            return None;
        }
        let gravity = self.uniform_gravity()?;
        let taken: Vec<usize> = (0..self.bodies.masses.len())
            .filter(|position| self.is_rigid(&self.bodies.masses[*position]))
            .collect();
        if taken.is_empty() {
            return None;
        }
        let bodies: Vec<RigidBody> = taken.iter().filter_map(|at| self.rigid_body(*at)).collect();
        let rest = self.energy_beside(&taken);
        let coordinates = self.evaluator.names.coordinates.len();
        let evaluator = &mut self.evaluator;
        let graph = &mut evaluator.graph;
        Some(
            evaluator
                .frames
                .recursive(graph, &bodies, gravity, coordinates, rest),
        )
    }

    /// The acceleration of gravity, if it is the same at every place.
    fn uniform_gravity(&mut self) -> Option<Vector> {
        let graph = &mut self.evaluator.graph;
        match self.bodies.acceleration.as_deref() {
            Some([x, y, z]) => {
                let is_uniform =
                    |entry: &NodeId| !graph.dependence(*entry).intersects(Dependence::COORDINATE);
                [*x, *y, *z].iter().all(is_uniform).then_some([*x, *y, *z])
            }
            Some(_) => None,
            None => Some(space::zero(graph)),
        }
    }

    fn is_rigid(&self, mass: &Mass) -> bool {
        let Position::InFrame(frame, _) = mass.position else {
            return false;
        };
        let moving = Dependence::COORDINATE.union(Dependence::TIME);
        let graph = &self.evaluator.graph;
        let mut constants = mass.inertia.iter().chain([&mass.mass]);
        frame != FrameId::WORLD
            && self.evaluator.frames.is_proven(frame)
            && constants.all(|node| !graph.dependence(*node).intersects(moving))
    }

    fn rigid_body(&mut self, position: usize) -> Option<RigidBody> {
        let mass = &self.bodies.masses[position];
        let Position::InFrame(frame, at) = mass.position else {
            return None;
        };
        let rate = self.evaluator.rate(&Value::vector(at.to_vec())).entries;
        Some(RigidBody {
            frame,
            at,
            rate: [rate[0], rate[1], rate[2]],
            mass: mass.mass,
            inertia: mass.inertia.clone(),
        })
    }

    /// T and V without these bodies.
    fn energy_beside(&mut self, taken: &[usize]) -> Energy {
        let masses = taken.iter().map(|position| &self.bodies.masses[*position]);
        let kinetic: Vec<usize> = masses.clone().map(|mass| mass.kinetic).collect();
        let potential: Vec<usize> = masses.filter_map(|mass| mass.potential).collect();
        let graph = &mut self.evaluator.graph;
        let mut total = |values: &[NodeId], without: &[usize]| {
            let numbered = values.iter().enumerate();
            let left = numbered.filter(|(at, _)| without.binary_search(at).is_err());
            let terms = left.map(|(_, value)| (Number::ONE, *value)).collect();
            graph.sum(Number::ZERO, terms)
        };
        Energy::Natural {
            kinetic: total(&self.energies.kinetic.values, &kinetic),
            potential: total(&self.energies.potential.values, &potential),
        }
    }
}
