//! Common parts of both programs: calls of one kind, states, times, tables.

pub mod accelerations;
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

/// The heading of all tables: compilers, processor, and whether there is C to compare with.
pub fn heading() -> String {
    let mut heading = format!("{}; {}", env!("PEERS_MADE_BY").trim(), processor());
    if PEERS.is_empty() {
        heading += "\n\n`LAGRANGIAN_PEERS` names no folder: there is nothing to compare with.";
    }
    heading
}

/// Its name in Linux, and on x86-64 the width of its vectors.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let entry = |key: &str| {
        let line = told.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(": "))
            .map(|(_, value)| value)
    };
    let name = entry("model name").unwrap_or("unknown processor");
    let flags = entry("flags").unwrap_or_default();
    let vectors = ["avx512f", "avx2"];
    let vectors = vectors
        .iter()
        .find(|&vector| flags.split(' ').any(|flag| flag == *vector));
    match vectors {
        Some(vectors) => format!("{name}, {vectors}"),
        None => name.to_owned(),
    }
}

/// The arguments of the program: the number of rounds, and a part of the names of the wanted systems.
pub fn arguments() -> (usize, String) {
    let mut arguments = std::env::args().skip(1);
    let rounds = arguments.next().map(|word| {
        word.parse()
            .unwrap_or_else(|_| panic!("the first argument is a number of rounds, not `{word}`"))
    });
    (rounds.unwrap_or(31), arguments.next().unwrap_or_default())
}
