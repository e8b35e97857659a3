//! Prints the motion of the systems, the same on a computer and on a microcontroller; there also the stack that each
//! method takes.
//!
//! `run` builds both, starts the emulator and compares.

#![cfg_attr(target_os = "none", no_std, no_main)]

mod systems;

#[cfg(target_os = "none")]
mod board;

use core::fmt::{self, Write};

use systems::{Numbers, run};

/// One line for each number: where it is from, and its bits.
fn report(out: &mut dyn Write) -> fmt::Result {
    match run::<f64>() {
        Ok(Numbers { cart, linkage }) => {
            for (name, value) in named(&cart, "cart64").chain(named(&linkage, "linkage64")) {
                writeln!(out, "{name} {:016x}", value.to_bits())?;
            }
        }
        Err(error) => writeln!(out, "f64 failed: {error}")?,
    }
    match run::<f32>() {
        Ok(Numbers { cart, linkage }) => {
            for (name, value) in named(&cart, "cart32").chain(named(&linkage, "linkage32")) {
                writeln!(out, "{name} {:08x}", value.to_bits())?;
            }
        }
        Err(error) => writeln!(out, "f32 failed: {error}")?,
    }
    Ok(())
}

fn named<'a, S: Copy, const N: usize>(
    rows: &'a [[S; N]],
    name: &'a str,
) -> impl Iterator<Item = (&'a str, S)> {
    rows.iter().flatten().map(move |value| (name, *value))
}

/// Prints the numbers, or writes the exported C to the folder of the argument.
#[cfg(not(target_os = "none"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(folder) = std::env::args_os().nth(1) {
        let folder = std::path::PathBuf::from(folder);
        std::fs::write(folder.join("cart_pole.c"), systems::CartPole::C99)?;
        std::fs::write(folder.join("four_bar.c"), systems::FourBar::C99)?;
        return Ok(());
    }
    let mut text = String::new();
    report(&mut text)?;
    print!("{text}");
    Ok(())
}
