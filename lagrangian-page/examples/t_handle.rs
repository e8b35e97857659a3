//! A T-handle floats and spins about its middle axis: it turns over, again and again.
//!
//! ```text
//! cargo run --release -p lagrangian-page --example t_handle
//! ```
//!
//! The spin about the axis of the middle moment of inertia is an equilibrium, but an unstable one: the least departure
//! grows (L. Euler, *Theoria motus corporum solidorum*, 1765; V. Dzhanibekov saw it in 1985, on board of a space station).

use std::error::Error;

use lagrangian::{lagrangian, vector};
use lagrangian_page::{Ink, Page, Plot, Recording, Space};

#[cfg(test)]
#[path = "t_handle/tests.rs"]
mod tests;

lagrangian! {
    /// Two rods in the shape of a T, free of weight.
    #[derive(Clone, Debug)]
    pub struct Handle {
        attitude: rotation,
        /// Masses of the bar, along x, and of the stem, along y [kg].
        bar, stem: parameter = 0.1,
        /// Lengths of the bar and of the stem [m].
        wide: parameter = 0.2,
        long: parameter = 0.1,
        /// Radius of both [m].
        r: parameter = 0.01,
    }

    // The center of mass stays where it is. The rods are at -stem * between and bar * between along y.
    let between = (r + long / 2) / (bar + stem);
    pub frame center = world.rotate(attitude);
    body {
        frame: center, mass: bar, at: [0, -stem * between, 0],
        inertia: bar * diag(r^2 / 2, r^2 / 4 + wide^2 / 12, r^2 / 4 + wide^2 / 12),
    }
    body {
        frame: center, mass: stem, at: [0, bar * between, 0],
        inertia: stem * diag(r^2 / 4 + long^2 / 12, r^2 / 2, r^2 / 4 + long^2 / 12),
    }

    // Along the bar, back to its middle, and along the stem.
    let y = -stem * between;
    pub let outline = [
        center.point([-wide / 2, y, 0]),
        center.point([wide / 2, y, 0]),
        center.point([0, y, 0]),
        center.point([0, y + r + long, 0]),
    ];
}

fn main() -> Result<(), Box<dyn Error>> {
    let (tee, v) = (Handle::default(), vector![0.01, 8.0, 0.0]);
    let motion = Recording::run(&tee, (tee.neutral(), v), 9.0, 1e-3)?;
    let scene = Space::new("A T-handle spins about its stem and turns over")
        .rod("T", Ink::Blue, tee.r, motion.map(|s| tee.outline(&s.q)))
        .axes("axes", 0.12, motion.map(|s| tee.center(&s.q)));
    let page = Page::new("T-handle").times(motion.times()).scene(scene);
    let page = page.plot(Plot::velocities(&tee, &motion));
    let page = page.model(include_str!("t_handle.rs"), Handle::EQUATIONS_MATHML, &tee);
    println!("{}", page.write("t_handle.html")?);
    Ok(())
}
