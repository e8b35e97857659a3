//! What both programs share: calls of one kind, states, times, tables.

pub mod call;
pub mod case;
pub mod clock;
pub mod states;
pub mod table;

use call::Call;

include!(concat!(env!("OUT_DIR"), "/peers.rs"));

/// The function of this name in the folder of C, if there is a folder and it has one.
pub fn peer(name: &str) -> Option<Call> {
    let (_, call) = PEERS.iter().find(|(other, _)| *other == name)?;
    Some(*call)
}

/// What stands above all tables: by what compilers, and whether there is something to compare with.
pub fn heading() -> String {
    let made_by = env!("PEERS_MADE_BY").trim();
    if PEERS.is_empty() {
        format!(
            "{made_by}\n\n`LAGRANGIAN_PEERS` names no folder: there is nothing to compare with."
        )
    } else {
        made_by.to_owned()
    }
}

/// The words after the name of the program: how many rounds, and a part of the names of the systems that are wanted.
pub fn arguments() -> (usize, String) {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().map(|word| {
        word.parse()
            .unwrap_or_else(|_| panic!("the first argument is a number of rounds, not `{word}`"))
    });
    (rounds.unwrap_or(31), arguments.next().unwrap_or_default())
}
