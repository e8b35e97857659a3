//! Depth costs no stack: every walk over a graph is a loop.

use lagrange_engine::{
    Complex, Energy, Graph, Names, NodeId, Number, Symbol, System, Unary, is_identically_zero,
    plain_names,
};

const DEEP: u32 = 100_000;

/// Runs on a stack of two megabytes, as that of a thread.
fn with_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}

/// Every public walk over `root`.
fn walk(mut graph: Graph, root: NodeId) {
    let (x, v) = (Symbol::Coordinate(0), Symbol::Velocity(0));
    let rate = graph.symbol(v);
    let gradient = graph.gradient(root, &[x]);
    let slope = graph.directional(&[root], &[(x, rate)]);
    let moved = graph.substitute(&[root], &[(x, rate)]);
    let roots = [root, gradient[0], slope[0], moved[0]];
    let values = graph.evaluate(&roots, &|_| 0.25);
    assert!(values.iter().all(|value| value.is_finite()));
    // At v = 1 the directional derivative is the gradient.
    let along = graph.evaluate(&[gradient[0], slope[0]], &|s| {
        if s == v { 1.0 } else { 0.25 }
    });
    assert!((along[0] - along[1]).abs() <= 1e-9 * along[0].abs());
    assert_eq!(values[0], values[3]);
    let probe = graph.evaluate_complex(&[root], &|_| Complex::real(0.25))[0];
    assert!((probe.value.re - values[0]).abs() <= 1e-9 * (1.0 + values[0].abs()));
    assert_ne!(
        is_identically_zero(&graph, &[root]),
        [lagrange_engine::Answer::Yes]
    );
    assert!(!graph.text(root, &plain_names).is_empty());
    assert!(!graph.latex(root, &plain_names).is_empty());
    assert!(graph.text_of_all(&[("f", root)], &plain_names, 1000).len() <= 9000);
    let zero = graph.integer(0);
    let system = System {
        energy: Energy::Lagrangian(root),
        multibody: lagrange_engine::Multibody::default(),
        dissipation: zero,
        forces: vec![zero],
        constraints: Vec::new(),
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
        contacts: Vec::new(),
        dry_joints: Vec::new(),
        names: Names {
            coordinates: vec!["x".into()],
            parameters: (0..DEEP).map(|i| format!("p{i}")).collect(),
            ..Names::default()
        },
        graph,
    };
    let again: System = system.to_string().parse().unwrap();
    let Energy::Lagrangian(again_root) = again.energy else {
        panic!("the text form kept no Lagrangian");
    };
    assert_eq!(again.graph.evaluate(&[again_root], &|_| 0.25), [values[0]]);
}

#[test]
fn long_sums() {
    with_a_small_stack(|| {
        let mut graph = Graph::new();
        let x = graph.symbol(Symbol::Coordinate(0));
        let mut sum = x;
        for i in 0..DEEP {
            let p = graph.symbol(Symbol::Parameter(i));
            let term = graph.mul(p, x);
            sum = graph.add(sum, term);
        }
        walk(graph, sum);
    });
}

#[test]
fn wide_sums() {
    with_a_small_stack(|| {
        let mut graph = Graph::new();
        let x = graph.symbol(Symbol::Coordinate(0));
        let terms: Vec<NodeId> = (0..DEEP)
            .map(|i| {
                let p = graph.symbol(Symbol::Parameter(i));
                graph.mul(p, x)
            })
            .collect();
        let sum = graph.total(terms);
        walk(graph, sum);
    });
}

#[test]
fn long_products() {
    with_a_small_stack(|| {
        let mut graph = Graph::new();
        let x = graph.symbol(Symbol::Coordinate(0));
        let mut product = x;
        // A derivative of a product costs as much as its factors times their number.
        for i in 0..DEEP / 10 {
            let p = graph.symbol(Symbol::Parameter(i));
            // 1 where every symbol is 1/4, so that the product stays finite.
            let factor = graph.sum(Number::HALF, vec![(Number::ONE, p), (Number::ONE, x)]);
            product = graph.mul(product, factor);
        }
        walk(graph, product);
    });
}

#[test]
fn nested_functions() {
    with_a_small_stack(|| {
        let mut graph = Graph::new();
        let x = graph.symbol(Symbol::Coordinate(0));
        let mut nested = x;
        for _ in 0..DEEP {
            nested = graph.unary(Unary::Sin, nested);
        }
        walk(graph, nested);
    });
}
