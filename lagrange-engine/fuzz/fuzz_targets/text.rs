//! Text form -> system -> text form, and on through the derivation: nothing may panic, and code
//! computes what the expressions say.
#![no_main]

use lagrange_engine::{
    Complex, Dependence, Dynamics, Energy, NodeId, Program, Quantity, System, constraint_defects,
    is_identically_zero, plain_names, regressor_defects, symmetry_defect,
};
use libfuzzer_sys::fuzz_target;

/// Larger systems only make the search slow.
const MOST_COORDINATES: usize = 6;
const MOST_NODES: usize = 400;
const MOST_OUTPUTS: usize = 2;
const MOST_ASKED: usize = 4;

fuzz_target!(|text: &str| {
    let Ok(system) = text.parse::<System>() else {
        return;
    };
    let printed = system.to_string();
    let again: System = printed.parse().expect("printed text is read back");
    assert_eq!(again.to_string(), printed);
    if system.names.coordinates.len() > MOST_COORDINATES || system.graph.len() > MOST_NODES {
        return;
    }
    if system.names.coordinates.is_empty() || !is_mechanical(&system) {
        return;
    }
    assert_eq!(constraint_defects(&system).len(), system.constraints.len());
    let [outputs, frames] = [system.outputs.len(), system.multibody.outputs().len()];
    let (regressors, symmetries) = (system.regressors.len(), system.symmetries.len());
    let dynamics = Dynamics::new(system);
    for number in 0..regressors.min(MOST_ASKED) {
        regressor_defects(&dynamics, number);
        compare(&dynamics.program(&[Quantity::Regressor(number)]), 0.5);
    }
    for number in 0..symmetries.min(MOST_ASKED) {
        symmetry_defect(&dynamics, number);
        compare(&dynamics.program(&[Quantity::NoetherMomentum(number)]), 0.5);
    }
    // In every form.
    for program in dynamics.programs(&[Quantity::MassMatrix, Quantity::Forcing]) {
        for value in [0.5, -1.25, 3.0] {
            compare(&program, value);
        }
    }
    for quantities in of_outputs(outputs, frames) {
        for program in dynamics.programs(&quantities) {
            compare(&program, 0.5);
        }
    }
    dynamics.facts();
    dynamics.textbook(usize::MAX);
    let roots = dynamics.expressions(Quantity::Forcing);
    let graph = dynamics.graph();
    assert_eq!(is_identically_zero(&graph, &roots).len(), roots.len());
    let labelled: Vec<(&str, NodeId)> = roots.iter().map(|root| ("f", *root)).collect();
    graph.text_of_all(&labelled, &plain_names, 2000);
    for root in roots {
        graph.latex(root, &plain_names);
    }
});

/// The quantities of the first outputs and of first-order states that are asked for, each set by itself.
fn of_outputs(outputs: usize, frames: usize) -> Vec<Vec<Quantity>> {
    use Quantity as Q;
    let outputs = (0..outputs.min(MOST_OUTPUTS)).flat_map(|i| {
        [
            vec![Q::Output(i), Q::OutputRate(i), Q::OutputBias(i)],
            vec![
                Q::OutputJacobian(i),
                Q::OutputByVelocities(i),
                Q::OutputByStates(i),
                Q::OutputByInputs(i),
            ],
            vec![Q::OutputHessian(i)],
        ]
    });
    let frames = (0..frames.min(MOST_OUTPUTS)).flat_map(|i| {
        [
            vec![Q::FrameOrigin(i), Q::FrameRotation(i), Q::FrameVelocity(i)],
            vec![Q::FrameJacobian(i), Q::FrameBias(i)],
        ]
    });
    let of_states = vec![Q::StateRates, Q::StateRatesByHeld, Q::ForcesByHeld];
    outputs.chain(frames).chain([of_states]).collect()
}

/// Evaluates code and graph where every symbol has this value. Where an intermediate value is not
/// known, or so large that rounding is all there is, nothing is said.
fn compare(program: &Program, value: f64) {
    let (graph, roots) = (&program.graph, &program.expressions);
    let of_code = program.schedule.evaluate(&|_| value);
    let of_graph = graph.evaluate(roots, &|_| value);
    let probes = graph.evaluate_complex(roots, &|_| Complex::real(value));
    assert_eq!(of_code.len(), roots.len());
    for ((code, graph), probe) in of_code.iter().zip(&of_graph).zip(probes) {
        if !probe.is_known() || !probe.real || !probe.exact || !graph.is_finite() {
            continue;
        }
        let most = 1e-6 * (probe.scale + f64::MIN_POSITIVE);
        assert!((code - graph).abs() <= most, "{code} instead of {graph}");
    }
}

/// True if the energies hold no input, and only V holds a first-order state. The builder of a system ensures it.
fn is_mechanical(system: &System) -> bool {
    let held = Dependence::INPUT.union(Dependence::STATE);
    let energies = match system.energy {
        Energy::Natural { kinetic, potential } => {
            vec![(kinetic, held), (potential, Dependence::INPUT)]
        }
        Energy::Lagrangian(lagrangian) => vec![(lagrangian, held)],
    };
    let mut energies = energies.into_iter();
    energies.all(|(energy, held)| !system.graph.dependence(energy).intersects(held))
}
