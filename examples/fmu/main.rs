//! A cart-pole and a four-bar linkage as FMUs (FMI 2.0, Model Exchange): simulators import them by this standard.
//!
//! ```text
//! cargo run --example fmu -- FOLDER
//! ```
//!
//! It writes `modelDescription.xml`, the sources in C and a trajectory `reference.csv` for each of them. The `Makefile`
//! beside this file builds the FMUs, and `simulate.py` compares them with the trajectories.

mod model;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use lagrangian::nalgebra::SVector;
use lagrangian::{System, lagrangian, rk4_step, vector};
use model::Model;

lagrangian! {
    /// A point mass on a light pole, hinged to a cart that a force pushes.
    pub struct CartPole { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
    export c99 { state_derivative, energy }
}

lagrangian! {
    /// Three uniform bars in a loop, and a flywheel on the crank, which a motor turns: see `examples/four_bar.rs`.
    pub struct FourBar {
        crank, coupler, rocker: coordinate,
        a, b, c, d, density, flywheel, g: parameter,
        torque: input,
    }
    let elbow = a * [cos(crank), sin(crank)];
    let middle = elbow + b * [cos(coupler), sin(coupler)];
    let rocker_arm = c * [cos(rocker), sin(rocker)];
    holonomic loop_closure: middle = [d, 0] + rocker_arm;
    T = density * a^3 * der(crank)^2 / 6 + flywheel * der(crank)^2 / 2;
    T += density * 2 * b * (der(middle)^2 + b^2 / 3 * der(coupler)^2) / 2;
    T += density * c^3 * der(rocker)^2 / 6;
    V = g * density * (a * elbow.y / 2 + 2 * b * middle.y + c * rocker_arm.y / 2);
    Q.crank = torque;
    export c99 { state_derivative, energy, constraint_residual }
}

/// The end of a trajectory [s], the time between its rows, and the integrator's steps between two rows.
const END: f64 = 2.0;
const ROWS: u32 = 40;
const STEPS: u32 = 50;

/// The columns of values that differ from those of `modelDescription.xml`.
type Changes<'a> = &'a [(&'a str, f64)];

/// The trajectory by `rk4_step` from a state and with an input, as a table: the time, the changed values, the states and
/// the outputs.
fn trajectory<M, const N: usize, const K: usize, const C: usize>(
    system: &M,
    (mut q, mut v): (SVector<f64, N>, SVector<f64, N>),
    u: &SVector<f64, K>,
    changes: Changes,
) -> Result<String, Box<dyn Error>>
where
    M: System<f64, N, N, K, C>,
{
    let names = model::states::<M, N, K, C>()
        .into_iter()
        .chain(model::outputs::<M, N, K, C>());
    let changed = changes.iter().map(|(name, _)| (*name).to_owned());
    let mut table = ["time".to_owned()]
        .into_iter()
        .chain(changed)
        .chain(names)
        .collect::<Vec<String>>()
        .join(",");
    for row in 0..=ROWS {
        let t = END * f64::from(row) / f64::from(ROWS);
        let residual = system.constraint_residual(t, &q, &v, u);
        let numbers = [t]
            .into_iter()
            .chain(changes.iter().map(|(_, value)| *value))
            .chain(q.iter().chain(&v).copied())
            .chain([system.energy(t, &q, &v, u)])
            .chain(residual.iter().copied());
        let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
        table = table + "\n" + &numbers.join(",");
        for _ in 0..STEPS {
            let h = END / f64::from(ROWS * STEPS);
            (q, v) = rk4_step(system, t, &q, &v, u, h)?;
        }
    }
    Ok(table + "\n")
}

fn write(folder: &Path, model: &Model, trajectory: &str) -> Result<(), Box<dyn Error>> {
    let folder = folder.join(model.name);
    let sources = folder.join("sources");
    fs::create_dir_all(&sources)?;
    fs::write(folder.join("modelDescription.xml"), model.description())?;
    fs::write(folder.join("reference.csv"), trajectory)?;
    fs::write(sources.join("system.h"), model.header())?;
    fs::write(sources.join("fmu.c"), include_str!("fmu.c"))?;
    fs::write(sources.join(format!("{}.c", model.name)), model.text)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("which folder?")?;
    let folder = Path::new(&folder);

    let start = (vector![0.0, 0.1], vector![0.0, 0.0]);
    let model = Model::of::<CartPole, 2, 1, 0>("cart_pole", CartPole::C99)
        .starting_from(&[1.0, 0.3, 0.7, 9.81], &start);
    let table = trajectory(
        &CartPole::new(1.0, 0.3, 0.9, 9.81),
        start,
        &vector![1.5],
        &[("l", 0.9), ("u", 1.5)],
    )?;
    write(folder, &model, &table)?;

    let parameters @ [a, b, c, d, density, flywheel, g] = [0.2, 0.5, 0.5, 0.4, 1.0, 0.3, 9.81];
    let linkage = FourBar::new(a, b, c, d, density, flywheel, g);
    // The approximate position of the bars; `project` moves them together.
    let start = linkage.project(&vector![0.0, 1.3, 1.8], &vector![0.0, 0.0, 0.0])?;
    let model =
        Model::of::<FourBar, 3, 1, 2>("four_bar", FourBar::C99).starting_from(&parameters, &start);
    let table = trajectory(&linkage, start, &vector![0.5], &[("torque", 0.5)])?;
    write(folder, &model, &table)
}
