//! Operation counts of the n-link pendulum, exactly: a change here is a change of speed.

mod common;

use common::pendulum;
use lagrange_engine::{Dynamics, Quantity};

fn mass_and_forcing(dynamics: &Dynamics) -> u32 {
    let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
    program.operations().total()
}

#[test]
fn mass_matrix_and_forcing_grow_with_the_square_of_the_links() {
    let counts: Vec<u32> = [2, 5, 10, 20, 40]
        .map(|n| mass_and_forcing(&Dynamics::new(pendulum(n))))
        .to_vec();
    assert_eq!(counts, [37, 130, 348, 1008, 3228]);
    // From 20 links to 40 the count may grow by a factor of 2^2.
    assert!(counts[4] < 4 * counts[3]);
}

#[test]
fn what_recursion_makes_linear_is_linear() {
    let [ten, twenty, forty] = [10, 20, 40].map(|n| {
        let dynamics = Dynamics::new(pendulum(n));
        [Quantity::Momenta, Quantity::Bias, Quantity::InverseDynamics]
            .map(|quantity| dynamics.program(&[quantity]).operations().total())
    });
    for i in 0..3 {
        assert_eq!(forty[i] - twenty[i], 2 * (twenty[i] - ten[i]));
    }
}
