//! The page of a simulation: plots of all coordinates and velocities and of the energy, and a scene of the outputs.

use std::fmt;
use std::path::Path;

use lagrangian_live::figure::{Figure, Kind, Role};
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
        for (line, (index, variable)) in group.iter().enumerate() {
            let ink = INKS[line % INKS.len()];
            plot = plot.line(
                &variable.name,
                ink,
                states.iter().map(|state| values(state)[*index]),
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

/// The outputs that are points or frames, bodies, springs and rods; in space if some of them are.
fn scene(page: Page, driven: &Driven, states: &[State]) -> Page {
    let Some(first) = states.first() else {
        return page;
    };
    let figure = Figure::new(driven, first);
    let frames = states.iter().map(|state| figure.points(driven, state));
    let frames: Option<Vec<Vec<f64>>> = frames.collect();
    let Some(frames) = frames.filter(|_| !figure.shapes.is_empty()) else {
        return page;
    };
    let about = format!("The motion of {}", driven.model.name());
    let of_figure = (&figure, &frames[..]);
    match figure.dimension {
        2 => page.scene(drawn(Scene::new(&about), of_figure, |scene, _, _| scene)),
        _ => page.scene(drawn(
            Space::new(&about),
            of_figure,
            |space, ink, points| space.block("", ink, points),
        )),
    }
}

/// All shapes; `block` draws a solid one.
fn drawn<const D: usize>(
    mut scene: Drawing<D>,
    (figure, frames): (&Figure, &[Vec<f64>]),
    block: impl Fn(Drawing<D>, Ink, Vec<Vec<[f64; D]>>) -> Drawing<D>,
) -> Drawing<D> {
    let mut start = 0;
    for shape in &figure.shapes {
        let range = start..start + D * shape.points;
        start = range.end;
        let of_frame = |frame: &Vec<f64>| -> Vec<[f64; D]> {
            let points = frame.get(range.clone()).unwrap_or_default();
            points
                .chunks_exact(D)
                .map(|point| std::array::from_fn(|k| point[k]))
                .collect()
        };
        let points: Vec<Vec<[f64; D]>> = frames.iter().map(of_frame).collect();
        let middles = || {
            points
                .iter()
                .map(|points| points.first().copied())
                .map(|middle| middle.unwrap_or([f64::NAN; D]))
        };
        let name = &shape.name[..];
        let ink = ink(shape.role);
        scene = match shape.kind {
            Kind::Rod => scene.rod(name, ink, shape.size, points),
            Kind::Line => scene.line(name, ink, points),
            Kind::Arrow => scene.arrow(name, ink, points),
            Kind::Mark if matches!(shape.role, Role::Output(_)) => {
                let scene = scene.trail(ink, TRAIL, middles());
                scene.mark(name, ink, middles())
            }
            Kind::Mark => scene.mark(name, ink, middles()),
            Kind::Circle | Kind::Ball => scene.circle(name, ink, shape.size, middles()),
            Kind::Block => block(scene, ink, points),
        };
    }
    scene
}

fn ink(role: Role) -> Ink {
    match role {
        Role::Ground => Ink::Ground,
        Role::Rod => Ink::Body,
        Role::Body(number) | Role::Output(number) => INKS[number % INKS.len()],
        Role::Axis(0) => Ink::Orange,
        Role::Axis(1) | Role::Spring => Ink::Green,
        Role::Axis(_) => Ink::Blue,
        Role::Damper => Ink::Violet,
    }
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
            let (values, remaining) = entries.split_at(parameter.shape.len());
            entries = remaining;
            match (parameter.shape, values) {
                (Shape::Scalar, [value]) => shown.field(&parameter.name, value),
                (_, values) => shown.field(&parameter.name, &values),
            };
        }
        shown.finish()
    }
}
