//! Accelerations of large systems, and their growth; beside C if there is some.

use lagrangian_peers::accelerations::{Large, print};
use lagrangian_peers::states::STATES;
use lagrangian_peers::{arguments, heading, large};

#[path = "../large/mod.rs"]
mod systems;

use systems::chains::*;
use systems::linkages::*;
use systems::walkers::*;

fn systems() -> Vec<Large> {
    vec![
        large!("chain of 10", "", Chain10: acceleration(q, v)),
        large!("chain of 20", "", Chain20: acceleration(q, v)),
        large!("chain of 40", "", Chain40: acceleration(q, v)),
        large!("chain of 80", "", Chain80: acceleration(q, v)),
        large!("spatial chain of 10", "spatial10_pin", Spatial10: acceleration(q, v, u)),
        large!("spatial chain of 20", "spatial20_pin", Spatial20: acceleration(q, v, u)),
        large!("spatial chain of 40", "spatial40_pin", Spatial40: acceleration(q, v, u)),
        large!("quadruped", "quadruped_pin", Quadruped: acceleration(q, v, u)),
        large!("humanoid", "humanoid_pin", Humanoid: acceleration(q, v, u)),
        large!("Stewart platform", stewart(), Stewart: solve(q, v, u)),
        large!("scissor of 5", scissor(5), Scissor5: solve(q, v)),
        large!("scissor of 10", scissor(10), Scissor10: solve(q, v)),
        large!("four-bars, 10", four_bars(10), FourBars10: solve(q, v)),
        large!("four-bars, 40", four_bars(40), FourBars40: solve(q, v)),
        large!("Cartesian rods, 15", rods(15), Rods15: solve(q, v)),
    ]
}

fn main() {
    let (rounds, part) = arguments();
    println!("{}\n\n{STATES} states, {rounds} rounds.", heading());
    let systems = systems();
    let wanted = systems.iter().filter(|system| system.name.contains(&part));
    print(wanted, rounds);
}
