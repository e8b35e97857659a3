//! Names of symbols and blocks of text.

use lagrange_engine::{Names, Symbol};

/// A block of text, or nothing.
pub(super) fn fenced(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("\n```text\n{}\n```\n", text.trim_end())
    }
}

/// Symbols in plain text. Velocities and accelerations are the names of their coordinates with primes, or
/// `omega_att.x` for a rotation.
pub(crate) fn symbol_name(names: &Names, symbol: Symbol) -> String {
    let name = match symbol {
        Symbol::Velocity(i) => return velocity_name(names, i as usize),
        Symbol::Acceleration(i) => return velocity_name(names, i as usize) + "'",
        Symbol::Coordinate(i) => names.coordinates.get(i as usize),
        Symbol::Parameter(i) => names.parameters.get(i as usize),
        Symbol::State(i) => names.states.get(i as usize),
        Symbol::StateRate(i) => {
            return names
                .states
                .get(i as usize)
                .map(|name| format!("{name}'"))
                .unwrap_or_default();
        }
        Symbol::Input(i) => names.inputs.get(i as usize),
        Symbol::Time => names.time.as_ref(),
        Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
    };
    name.cloned().unwrap_or_default()
}

fn velocity_name(names: &Names, velocity: usize) -> String {
    let kinematics = names.kinematics();
    let name = |coordinate: usize| names.coordinates.get(coordinate).cloned();
    let own = match kinematics.rotation_of_velocity(velocity) {
        Some(rotation) => {
            let own = name(rotation.coordinate + velocity - rotation.velocity);
            own.map(|own| format!("omega_{own}"))
        }
        None => {
            let own = kinematics.coordinate_of_velocity(velocity);
            own.and_then(name).map(|own| own + "'")
        }
    };
    own.unwrap_or_default()
}
