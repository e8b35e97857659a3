//! The page of a simulation: plots of all coordinates and velocities and of the energy, and a scene of the outputs.

use std::fmt;
use std::path::Path;

use lagrangian_live::motion::Driven;
use lagrangian_live::{Model, Shape, State, Variable};
use lagrangian_page::{Drawing, Ink, Page, Plot, Scene, Space};

use crate::failure::Failure;
use crate::values::Values;

const INKS: [Ink; 4] = [Ink::Blue, Ink::Orange, Ink::Green, Ink::Violet];

/// The time for which the path of a point stays visible.
const TRAIL: f64 = 1.0;

/// The most lines of a plot.
const MOST_LINES: usize = 8;

pub(crate) fn write(
    (driven, values): (&Driven, &Values),
    states: &[State],
    path: &Path,
) -> Result<(), Failure> {
    let model = driven.model;
    let mut page = Page::new(model.name()).times(states.iter().map(|state| state.t));
    if let Some(first) = model.doc().split("\n\n").next() {
        page = page.about(&first.replace('\n', " "));
    }
    page = scene(page, driven, states);
    page = plots(page, "Coordinates", model.coordinates(), states, |state| {
        &state.q
    });
    page = plots(page, "Velocities", model.velocities(), states, |state| {
        &state.v
    });
    page = plots(page, "States", model.states(), states, |state| &state.z);
    if let Some(energy) = series(driven, "energy", states) {
        let energy = energy.into_iter().map(|entries| entries[0]);
        page = page.plot(Plot::new("Energy", "J").line("energy", Ink::Blue, energy));
    }
    let source = format!("lagrangian! {{\n{}\n}}\n", model.declaration());
    let page = page.model(&source, &model.equations().mathml, &Shown { model, values });
    page.write(path)
        .map(|_| ())
        .map_err(|error| Failure::run(format!("{}: {error}", path.display())))
}

/// Plots of some entries each, with one unit.
fn plots(
    mut page: Page,
    title: &str,
    variables: &[Variable],
    states: &[State],
    values: impl Fn(&State) -> &[f64],
) -> Page {
    let numbered: Vec<(usize, &Variable)> = variables.iter().enumerate().collect();
    let unit = |variable: &Variable| variable.unit.clone().unwrap_or_default();
    let of_one_unit = numbered.chunk_by(|(_, a), (_, b)| unit(a) == unit(b));
    for group in of_one_unit.flat_map(|group| group.chunks(MOST_LINES)) {
        let unit = group
            .first()
            .map_or_else(String::new, |(_, variable)| unit(variable));
        let mut plot = Plot::new(title, &unit);
        for (line, (at, variable)) in group.iter().enumerate() {
            let ink = INKS[line % INKS.len()];
            plot = plot.line(
                &variable.name,
                ink,
                states.iter().map(|state| values(state)[*at]),
            );
        }
        page = page.plot(plot);
    }
    page
}

/// The results of a method of the state at all states, one after the other; `None` if there is an error.
fn series(driven: &Driven, method: &str, states: &[State]) -> Option<Vec<Vec<f64>>> {
    let method = driven.model.method(method).ok()?;
    let rows = states
        .iter()
        .map(|state| driven.evaluate(method, state).ok());
    let rows: Option<Vec<Vec<f64>>> = rows.collect();
    rows.filter(|rows| rows.iter().flatten().all(|value| value.is_finite()))
}

/// The outputs that are points, in space if some of them are: vectors of two or three entries, and frames.
fn scene(page: Page, driven: &Driven, states: &[State]) -> Page {
    let model = driven.model;
    let outputs = model.methods().iter().filter(|method| method.is_output);
    let outputs = outputs.filter_map(|method| {
        let shapes = method.results.iter().map(|(_, shape)| *shape);
        let size = match shapes.collect::<Vec<Shape>>()[..] {
            [Shape::Vector(size @ (2 | 3))] => size,
            [Shape::Vector(3), Shape::Matrix(3, 3)] => 3,
            _ => return None,
        };
        Some((
            &method.name[..],
            size,
            series(driven, &method.name, states)?,
        ))
    });
    let (spatial, flat): (Vec<_>, Vec<_>) = outputs.partition(|(_, size, _)| *size == 3);
    let about = format!("The outputs of {}", model.name());
    match (&spatial[..], &flat[..]) {
        ([], []) => page,
        ([], flat) => page.scene(drawn(Scene::new(&about), flat)),
        (spatial, _) => page.scene(drawn(Space::new(&about), spatial)),
    }
}

/// An output by its name, the number of its coordinates, and its values.
type Output<'a> = (&'a str, usize, Vec<Vec<f64>>);

/// A mark for each point, and the axes of frames.
fn drawn<const D: usize>(mut scene: Drawing<D>, outputs: &[Output]) -> Drawing<D> {
    let length = 0.1 * extent(outputs);
    for (at, (name, _, rows)) in outputs.iter().enumerate() {
        let ink = INKS[at % INKS.len()];
        let origin = |row: &Vec<f64>| -> [f64; D] { std::array::from_fn(|i| row[i]) };
        scene = scene.trail(ink, TRAIL, rows.iter().map(origin)).mark(
            name,
            ink,
            rows.iter().map(origin),
        );
        if rows.first().is_some_and(|row| row.len() > D) {
            for (k, ink) in [Ink::Orange, Ink::Green, Ink::Blue].into_iter().enumerate() {
                // Column k of the matrix, whose rows follow the origin.
                let tip =
                    |row: &Vec<f64>| std::array::from_fn(|i| row[i] + length * row[D + 3 * i + k]);
                scene = scene.arrow(name, ink, rows.iter().map(|row| [origin(row), tip(row)]));
            }
        }
    }
    scene
}

/// The largest coordinate of some points, or 1 if all are 0.
fn extent(outputs: &[Output]) -> f64 {
    let rows = outputs
        .iter()
        .flat_map(|(_, size, rows)| rows.iter().map(move |row| &row[..*size]));
    let most = rows
        .flatten()
        .fold(0.0_f64, |most, entry| most.max(entry.abs()));
    if most > 0.0 { most } else { 1.0 }
}

/// The parameters in the form of a struct.
struct Shown<'a> {
    model: &'a Model,
    values: &'a Values,
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(self.model.name());
        let mut entries = &self.values.parameters[..];
        for parameter in self.model.parameters() {
            let (own, others) = entries.split_at(parameter.shape.len());
            entries = others;
            match (parameter.shape, own) {
                (Shape::Scalar, [value]) => shown.field(&parameter.name, value),
                (_, values) => shown.field(&parameter.name, &values),
            };
        }
        shown.finish()
    }
}
