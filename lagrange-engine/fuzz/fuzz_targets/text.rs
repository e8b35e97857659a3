//! Text form -> system -> text form, and on through the derivation: nothing may panic.
#![no_main]

use lagrange_engine::{
    Dependence, Energy, NodeId, System, constraint_defects, derive, is_identically_zero,
    plain_names,
};
use libfuzzer_sys::fuzz_target;

/// Larger systems only make the search slow.
const MOST_COORDINATES: usize = 6;
const MOST_NODES: usize = 400;

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
    let dynamics = derive(system);
    let roots = [&dynamics.mass_matrix[..], &dynamics.forcing[..]].concat();
    let values = dynamics.schedule(&roots).evaluate(&|_| 0.5);
    assert_eq!(values.len(), roots.len());
    assert_eq!(dynamics.graph.evaluate(&roots, &|_| 0.5).len(), roots.len());
    assert_eq!(
        is_identically_zero(&dynamics.graph, &roots).len(),
        roots.len()
    );
    let labelled: Vec<(&str, NodeId)> = roots.iter().map(|root| ("f", *root)).collect();
    dynamics.graph.text_of_all(&labelled, &plain_names, 2000);
    for root in roots {
        dynamics.graph.latex(root, &plain_names);
    }
});

/// Whether the energies hold no input, as whoever builds a system has to see to.
fn is_mechanical(system: &System) -> bool {
    let energies = match system.energy {
        Energy::Natural { kinetic, potential } => vec![kinetic, potential],
        Energy::Lagrangian(lagrangian) => vec![lagrangian],
    };
    let has_input = |energy: &NodeId| {
        system
            .graph
            .dependence(*energy)
            .intersects(Dependence::INPUT)
    };
    !energies.iter().any(has_input)
}
