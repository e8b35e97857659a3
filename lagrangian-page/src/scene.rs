//! The animated mechanism: shapes in world coordinates, one set of points per frame.
//!
//! In the plane y is up. In space z is up, and the reader can turn the view.

use lagrange_runtime::Pose;

use crate::{Point, Points, json, picture, point};

/// A colour by its role; the page has a light and a dark version of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Faint guide lines.
    Rule,
    /// Shapes that do not move: tracks, walls, supports.
    Ground,
    /// Neutral parts of the mechanism.
    Body,
    /// Blue.
    Blue,
    /// Orange.
    Orange,
    /// Green.
    Green,
    /// Violet.
    Violet,
}

impl Ink {
    /// The ink of the line with this number, of several.
    pub(crate) fn of_line(number: usize) -> Self {
        let inks = [
            Self::Blue,
            Self::Orange,
            Self::Green,
            Self::Violet,
            Self::Body,
            Self::Ground,
        ];
        inks[number % inks.len()]
    }

    pub(crate) fn json(self) -> String {
        json::string(match self {
            Self::Rule => "rule",
            Self::Ground => "ground",
            Self::Body => "body",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Green => "green",
            Self::Violet => "violet",
        })
    }
}

pub(crate) struct Shape<const D: usize> {
    kind: &'static str,
    name: String,
    ink: Ink,
    /// Radius in metres of a circle or rod, seconds of a trail, metres per newton of a force, else unused.
    size: f64,
    /// The points of each frame; a single frame is a shape that does not move.
    frames: Vec<Vec<[f64; D]>>,
}

/// A mechanism in the plane; y is up.
pub type Scene = Drawing<2>;
/// A mechanism in space; z is up.
pub type Space = Drawing<3>;

/// A mechanism drawn frame by frame: in the plane later shapes are above earlier ones, in space nearer shapes above
/// farther ones.
///
/// Each shape takes an iterator over its frames: as many as the page has times, or just one if it does not move. In the
/// plane y is up. In space z is up, and the reader can turn the view.
#[must_use]
pub struct Drawing<const D: usize> {
    about: String,
    shapes: Vec<Shape<D>>,
}

impl<const D: usize> Drawing<D> {
    /// An empty scene; `about` describes it for readers who cannot see it.
    pub fn new(about: &str) -> Self {
        Self {
            about: about.into(),
            shapes: Vec::new(),
        }
    }

    /// An open polyline. A NaN point lifts the pen: a wireframe is one shape.
    pub fn line(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        self.shape("line", name, ink, 0.0, frames)
    }

    /// An open polyline as thick as a rod of the given radius in metres.
    pub fn rod(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        self.shape("rod", name, ink, radius, frames)
    }

    /// A filled polygon, closed by itself.
    pub fn polygon(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        self.shape("polygon", name, ink, 0.0, frames)
    }

    /// An arrow from the first point of each frame to the second, if long enough to see.
    pub fn arrow(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        self.shape("arrow", name, ink, 0.0, frames)
    }

    /// An arrow for a force, `metres` long for each newton. Its name and its scale are beside the scale bar.
    pub fn force(
        self,
        name: &str,
        ink: Ink,
        metres: f64,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        self.shape("arrow", name, ink, metres, frames)
    }

    /// A disc of the given radius in metres.
    pub fn circle(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        centers: impl IntoIterator<Item = impl Point<D>>,
    ) -> Self {
        self.shape("circle", name, ink, radius, alone(centers))
    }

    /// A small dot that keeps its size on the screen: a joint, a point of interest.
    pub fn mark(
        self,
        name: &str,
        ink: Ink,
        points: impl IntoIterator<Item = impl Point<D>>,
    ) -> Self {
        self.shape("mark", name, ink, 0.0, alone(points))
    }

    /// The path of a point over the last `seconds`, fading.
    pub fn trail(
        self,
        ink: Ink,
        seconds: f64,
        points: impl IntoIterator<Item = impl Point<D>>,
    ) -> Self {
        self.shape("trail", "", ink, seconds, alone(points))
    }

    /// Words centered at a fixed place.
    pub fn label(self, text: &str, ink: Ink, at: impl Point<D>) -> Self {
        self.shape("label", text, ink, 0.0, [[at]])
    }

    fn shape(
        mut self,
        kind: &'static str,
        name: &str,
        ink: Ink,
        size: f64,
        frames: impl IntoIterator<Item = impl Points<D>>,
    ) -> Self {
        let frames = frames.into_iter().map(|points| points.places()).collect();
        self.shapes.push(Shape {
            kind,
            name: name.into(),
            ink,
            size,
            frames,
        });
        self
    }

    pub(crate) fn about(&self) -> &str {
        &self.about
    }

    pub(crate) fn shapes(&self) -> &[Shape<D>] {
        &self.shapes
    }
}

/// A scene of either kind, for a page.
pub(crate) trait Drawn {
    /// The first part that does not fit a page with this number of times.
    fn problem(&self, times: usize) -> Option<String>;
    fn json(&self) -> String;
    fn picture(&self, times: &[f64]) -> Option<String>;
}

impl<const D: usize> Drawn for Drawing<D> {
    fn problem(&self, times: usize) -> Option<String> {
        self.shapes.iter().find_map(|shape| {
            let Shape {
                kind, name, frames, ..
            } = shape;
            let count = frames.len();
            if ![1, times].contains(&count) {
                return Some(format!(
                    "{kind} `{name}`: {count} frames for {times} times, not one each or one in all"
                ));
            }
            let needed = match *kind {
                "arrow" | "cylinder" => 2,
                "block" => 4,
                _ => return None,
            };
            let wrong = frames.iter().find(|points| points.len() != needed)?;
            let count = wrong.len();
            Some(format!(
                "{kind} `{name}`: a frame of {count} points, not {needed}"
            ))
        })
    }

    fn json(&self) -> String {
        json::object(&[
            ("about", json::string(&self.about)),
            ("dimension", D.to_string()),
            ("shapes", json::array(self.shapes.iter().map(Shape::json))),
        ])
    }

    fn picture(&self, times: &[f64]) -> Option<String> {
        picture::svg(self, times)
    }
}

/// Each point as a separate frame.
fn alone<const D: usize>(
    points: impl IntoIterator<Item = impl Point<D>>,
) -> impl Iterator<Item = [[f64; D]; 1]> {
    points.into_iter().map(|point| [point.place()])
}

impl Space {
    /// A solid cylinder of the given radius in metres between the middles of its flat ends.
    pub fn cylinder(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        ends: impl IntoIterator<Item = impl Points<3>>,
    ) -> Self {
        self.shape("cylinder", name, ink, radius, ends)
    }

    /// A solid block: its middle, and the middles of three faces that meet.
    pub fn block(
        self,
        name: &str,
        ink: Ink,
        middles: impl IntoIterator<Item = impl Points<3>>,
    ) -> Self {
        self.shape("block", name, ink, 0.0, middles)
    }

    /// A solid block that is fixed in a frame: its middle there, and its lengths along the axes of the frame.
    pub fn block_in(
        self,
        name: &str,
        ink: Ink,
        middle: [f64; 3],
        lengths: [f64; 3],
        frames: impl IntoIterator<Item = Pose<f64>>,
    ) -> Self {
        let face = |k: usize| {
            let mut face = middle;
            face[k] += lengths[k] / 2.0;
            face
        };
        let points = [middle, face(0), face(1), face(2)];
        let frames = frames.into_iter();
        self.block(
            name,
            ink,
            frames.map(|frame| points.map(|local| point(&frame, local))),
        )
    }

    /// A solid cylinder that is fixed in a frame, between two points there.
    pub fn cylinder_in(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        ends: [[f64; 3]; 2],
        frames: impl IntoIterator<Item = Pose<f64>>,
    ) -> Self {
        let frames = frames.into_iter();
        self.cylinder(
            name,
            ink,
            radius,
            frames.map(|frame| ends.map(|local| point(&frame, local))),
        )
    }

    /// The axes of a frame as arrows: x orange, y green, z blue.
    pub fn axes(
        self,
        name: &str,
        length: f64,
        frames: impl IntoIterator<Item = Pose<f64>>,
    ) -> Self {
        let frames: Vec<Pose<f64>> = frames.into_iter().collect();
        let inks = [Ink::Orange, Ink::Green, Ink::Blue];
        inks.into_iter().enumerate().fold(self, |scene, (k, ink)| {
            let mut tip = [0.0; 3];
            tip[k] = length;
            scene.arrow(
                name,
                ink,
                frames.iter().map(|frame| (*frame, point(frame, tip))),
            )
        })
    }

    /// A square grid in the plane z = 0, `cells` cells to each side of the origin.
    pub fn floor(self, cells: u32, cell: f64) -> Self {
        let reach = f64::from(cells) * cell;
        let lift = [f64::NAN; 3];
        let lines = (0..=2 * cells).flat_map(|i| {
            let offset = f64::from(i) * cell - reach;
            let across = [[-reach, offset, 0.0], [reach, offset, 0.0], lift];
            let along = [[offset, -reach, 0.0], [offset, reach, 0.0], lift];
            across.into_iter().chain(along)
        });
        let lines: Vec<[f64; 3]> = lines.collect();
        self.shape("line", "floor", Ink::Rule, 0.0, [lines])
    }
}

impl<const D: usize> Shape<D> {
    pub(crate) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(crate) fn ink(&self) -> Ink {
        self.ink
    }

    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    pub(crate) fn frames(&self) -> &[Vec<[f64; D]>] {
        &self.frames
    }

    fn json(&self) -> String {
        let frame = |points: &Vec<[f64; D]>| {
            json::array(points.iter().flatten().map(|&value| json::number(value)))
        };
        json::object(&[
            ("kind", json::string(self.kind)),
            ("name", json::string(&self.name)),
            ("ink", self.ink.json()),
            ("size", json::number(self.size)),
            ("frames", json::array(self.frames.iter().map(frame))),
        ])
    }
}
