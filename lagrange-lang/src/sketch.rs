//! The parts of a system that a picture of it shows: bodies, frames, springs and dampers.

use lagrange_engine::{
    Dynamics, Energy, FrameId, Frames, Graph, Multibody, NodeId, Output, Quantity, Routines, Shape,
    System, Tape,
};

use crate::tables::{LinkEntry, PartKind, Tables};

/// The name of the routine with all values.
const NAME: &str = "sketch";

/// The parts of a system that a picture of it shows, beside its outputs.
///
/// ```
/// use lagrange_lang::{Declaration, Folder};
///
/// let text = "
///     struct Slider { x: coordinate, m, k: parameter }
///     body { at: [x, 0], mass: m }
///     spring { k, from: 0, to: x }
/// ";
/// let (slider, _) = Declaration::read(text.parse().unwrap(), &Folder::None).unwrap();
/// let sketch = slider.sketch().unwrap();
/// assert!(sketch.bodies == 1 && sketch.is_spring == [true] && !sketch.is_spatial);
/// let (mut bodies, mut links) = ([0.0; 22], [0.0; 6]);
/// sketch.tape.evaluate(1, &[2.0, 4.0], &[&[3.0]], &mut [&mut bodies, &mut links]).unwrap();
/// assert_eq!((bodies[0], bodies[12], links), (3.0, 2.0, [0.0, 0.0, 0.0, 3.0, 0.0, 0.0]));
/// ```
#[derive(Debug)]
pub struct Sketch {
    /// The number of bodies, which are the rows of the first result of the tape: the centre of mass (3), the axes of the
    /// frame as columns (3 x 3), the mass, and the inertia about the centre in these axes (3 x 3).
    pub bodies: usize,
    /// The number of joints, which are the rows of the second result: their origins.
    pub joints: usize,
    /// The springs and dampers, which are the rows of the third result: both ends. True for a spring.
    pub is_spring: Vec<bool>,
    /// True if a body, a joint or an end is in space.
    pub is_spatial: bool,
    /// Computes all of them from t, q and z. Results without rows, and arguments without entries, are left out.
    pub tape: Tape,
}

impl Sketch {
    /// The sketch of a system, whose parts have no mistakes.
    pub(crate) fn of(system: &System, tables: &Tables) -> Plan {
        let mut graph = system.graph.clone();
        let zero = graph.integer(0);
        let multibody = &system.multibody;
        let no_frames = Frames::new(&mut graph);
        let frames = multibody.frames().unwrap_or(&no_frames);
        let mut is_spatial = false;
        let mut bodies = Vec::new();
        for body in multibody.bodies() {
            is_spatial |= body.frame != FrameId::WORLD || !graph.is_zero(body.at[2]);
            bodies.extend(frames.point(&mut graph, body.frame, body.at));
            bodies.extend(frames.rotation(&mut graph, body.frame).concat());
            bodies.push(body.mass);
            bodies.extend(body.inertia.concat());
        }
        let joints: Vec<FrameId> = frames.joints().map(|(frame, _)| frame).collect();
        is_spatial |= !joints.is_empty();
        let origins: Vec<NodeId> = joints
            .iter()
            .flat_map(|frame| frames.origin(*frame))
            .collect();
        let mut ends = Vec::new();
        for LinkEntry { ends: both, .. } in &tables.links {
            for end in both {
                is_spatial |= end.len() == 3;
                ends.extend((0..3).map(|i| end.get(i).copied().unwrap_or(zero)));
            }
        }
        let is_spring = tables.links.iter();
        Plan {
            bodies: multibody.bodies().len(),
            joints: joints.len(),
            is_spring: is_spring
                .map(|link| link.kind == PartKind::Spring)
                .collect(),
            is_spatial,
            system: with_outputs(system, graph, [(bodies, 22), (origins, 3), (ends, 6)]),
        }
    }
}

/// A sketch whose values are not computed yet.
pub(crate) struct Plan {
    bodies: usize,
    joints: usize,
    is_spring: Vec<bool>,
    is_spatial: bool,
    /// A system without energies, whose outputs are the results.
    system: System,
}

impl Plan {
    pub(crate) fn sketch(&self) -> Sketch {
        let system = self.system.clone();
        let arguments: Vec<&str> = [
            ("t", system.names.time.is_some()),
            ("q", true),
            ("z", !system.names.states.is_empty()),
        ]
        .iter()
        .filter(|(_, exists)| *exists)
        .map(|(name, _)| *name)
        .collect();
        let results: Vec<(String, Quantity)> = system
            .outputs
            .iter()
            .enumerate()
            .map(|(number, output)| (output.name.clone(), Quantity::Output(number)))
            .collect();
        let dynamics = Dynamics::new(system);
        let routines = Routines::new(&dynamics);
        let routine = routines.computation(NAME, &arguments, &results);
        Sketch {
            bodies: self.bodies,
            joints: self.joints,
            is_spring: self.is_spring.clone(),
            is_spatial: self.is_spatial,
            tape: Tape::new(&routines, routine),
        }
    }
}

/// A system with these entries as outputs, in rows of so many each, and nothing else.
fn with_outputs(system: &System, mut graph: Graph, outputs: [(Vec<NodeId>, usize); 3]) -> System {
    let zero = graph.integer(0);
    let outputs = ["bodies", "joints", "links"]
        .into_iter()
        .zip(outputs)
        .filter(|(_, (entries, _))| !entries.is_empty())
        .map(|(name, (entries, columns))| Output {
            name: name.to_owned(),
            shape: Shape::Matrix(entries.len() / columns, columns),
            entries,
        });
    System {
        outputs: outputs.collect(),
        names: system.names.clone(),
        energy: Energy::Natural {
            kinetic: zero,
            potential: zero,
        },
        multibody: Multibody::default(),
        dissipation: zero,
        forces: vec![zero; system.forces.len()],
        state_rates: vec![zero; system.state_rates.len()],
        multiplier_forces: Vec::new(),
        constraints: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        symmetries: Vec::new(),
        graph,
    }
}
