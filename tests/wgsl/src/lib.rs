//! The systems of `tests/exports`, whose shaders a browser runs.

#[allow(dead_code)]
#[path = "../../exports/declared.rs"]
mod declared;

use declared::*;
use lagrangian::{System, vector};

/// A shader of motions and impacts with contacts.
pub const CONTACTS: &str = Beam::WGSL;

/// A shader, and the accelerations at a state.
pub struct Case {
    pub name: &'static str,
    pub shader: &'static str,
    pub time: f64,
    pub parameters: Vec<f64>,
    /// q, v, and u if there is any.
    pub arguments: Vec<Vec<f64>>,
    pub acceleration: Vec<f64>,
}

fn arguments<const NQ: usize, const N: usize, const K: usize>(
    state: &State<NQ, N, K>,
) -> Vec<Vec<f64>> {
    let all = [state.q.as_slice(), state.v.as_slice(), state.u.as_slice()];
    all.into_iter()
        .filter(|argument| !argument.is_empty())
        .map(<[f64]>::to_vec)
        .collect()
}

fn accelerations<M, const NQ: usize, const N: usize, const K: usize, const C: usize>(
    system: &M,
    state: &State<NQ, N, K>,
) -> Vec<f64>
where
    M: System<f64, NQ, N, K, C>,
{
    let acceleration = system.acceleration(state.t, &state.q, &state.v, &state.u);
    acceleration.expect("a regular state").as_slice().to_vec()
}

macro_rules! collected {
    ($($test:ident: $system:ident, $name:literal, $has_time:literal, $value:expr, $parameters:expr, $q:expr;)*) => {
        /// A case for each system.
        pub fn cases() -> Vec<Case> {
            let mut cases = Vec::new();
            $(
                let at = state($q);
                cases.push(Case {
                    name: $name,
                    shader: $system::WGSL,
                    time: at.t,
                    parameters: $parameters.to_vec(),
                    acceleration: accelerations(&$value, &at),
                    arguments: arguments(&at),
                });
            )*
            cases
        }
    };
}

for_all_systems!(collected);
