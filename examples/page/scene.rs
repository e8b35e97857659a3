//! The animated mechanism: shapes in world coordinates, one set of points per frame.
//!
//! In the plane y is up. In space z is up, and the reader turns the view.

use super::json;

/// A color by its role; the page has a light and a dark version of each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
    /// Faint lines for the eye to hold on to.
    Rule,
    /// What does not move: tracks, walls, supports.
    Ground,
    /// Neutral parts of the mechanism.
    Body,
    Blue,
    Orange,
    Green,
    Violet,
}

impl Ink {
    pub(super) fn json(self) -> String {
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

pub(super) struct Shape<const D: usize> {
    kind: &'static str,
    name: String,
    ink: Ink,
    /// Radius [m] of a circle or rod, seconds shown of a trail, metres for a newton of a force, else unused.
    size: f64,
    /// The points of each frame; a single frame is a shape that stands still.
    frames: Vec<Vec<[f64; D]>>,
}

/// A mechanism in the plane.
pub(crate) type Scene = Drawing<2>;
/// A mechanism in space.
pub(crate) type Space = Drawing<3>;

/// A mechanism drawn frame by frame: in the plane later shapes above earlier ones, in space nearer
/// shapes above farther ones.
///
/// Each shape takes an iterator over its frames: as many as the page has times, or just one if it
/// stands still. A point is anything that converts into `[f64; D]`, so also a nalgebra vector.
pub(crate) struct Drawing<const D: usize> {
    about: String,
    shapes: Vec<Shape<D>>,
}

impl<const D: usize> Drawing<D> {
    /// An empty scene; `about` says what is seen to those who cannot see it.
    pub(crate) fn new(about: &str) -> Self {
        Self {
            about: about.into(),
            shapes: Vec::new(),
        }
    }

    /// An open polyline. A point that is not a number lifts the pen: a wireframe is one shape.
    pub(crate) fn line<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        self.shape("line", name, ink, 0.0, frames)
    }

    /// An open polyline as thick as a rod of the given radius [m].
    pub(crate) fn rod<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        self.shape("rod", name, ink, radius, frames)
    }

    /// A filled polygon, closed by itself.
    pub(crate) fn polygon<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        self.shape("polygon", name, ink, 0.0, frames)
    }

    /// An arrow from the first point of each frame to the second, if long enough to see.
    pub(crate) fn arrow<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = [P; 2]>,
    ) -> Self {
        self.shape("arrow", name, ink, 0.0, frames)
    }

    /// An arrow for a force, `metres` long for each newton. Its name and its scale stand beside the scale bar.
    pub(crate) fn force<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        metres: f64,
        frames: impl IntoIterator<Item = [P; 2]>,
    ) -> Self {
        self.shape("arrow", name, ink, metres, frames)
    }

    /// A disc of the given radius [m].
    pub(crate) fn circle<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        centers: impl IntoIterator<Item = P>,
    ) -> Self {
        self.shape(
            "circle",
            name,
            ink,
            radius,
            centers.into_iter().map(|center| [center]),
        )
    }

    /// A small dot that keeps its size on the screen: a joint, a point of interest.
    pub(crate) fn mark<P: Into<[f64; D]>>(
        self,
        name: &str,
        ink: Ink,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        self.shape(
            "mark",
            name,
            ink,
            0.0,
            points.into_iter().map(|point| [point]),
        )
    }

    /// The path of a point over the last `seconds`, fading.
    pub(crate) fn trail<P: Into<[f64; D]>>(
        self,
        ink: Ink,
        seconds: f64,
        points: impl IntoIterator<Item = P>,
    ) -> Self {
        self.shape(
            "trail",
            "",
            ink,
            seconds,
            points.into_iter().map(|point| [point]),
        )
    }

    /// Words centered at a fixed place.
    pub(crate) fn label(self, text: &str, ink: Ink, at: impl Into<[f64; D]>) -> Self {
        self.shape("label", text, ink, 0.0, [[at]])
    }

    fn shape<P: Into<[f64; D]>>(
        mut self,
        kind: &'static str,
        name: &str,
        ink: Ink,
        size: f64,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        let frames = frames
            .into_iter()
            .map(|points| points.into_iter().map(Into::into).collect())
            .collect();
        self.shapes.push(Shape {
            kind,
            name: name.into(),
            ink,
            size,
            frames,
        });
        self
    }

    pub(super) fn check(&self, frames: usize) {
        for Shape {
            kind,
            name,
            frames: given,
            ..
        } in &self.shapes
        {
            assert!(
                [1, frames].contains(&given.len()),
                "{kind} `{name}`: {} frames, not 1 or {frames}",
                given.len()
            );
        }
    }

    pub(super) fn about(&self) -> &str {
        &self.about
    }

    pub(super) fn shapes(&self) -> &[Shape<D>] {
        &self.shapes
    }

    pub(super) fn json(&self) -> String {
        json::object(&[
            ("about", json::string(&self.about)),
            ("dimension", D.to_string()),
            ("shapes", json::array(self.shapes.iter().map(Shape::json))),
        ])
    }
}

impl Space {
    /// A solid cylinder of the given radius [m] between the middles of its flat ends.
    pub(crate) fn cylinder<P: Into<[f64; 3]>>(
        self,
        name: &str,
        ink: Ink,
        radius: f64,
        ends: impl IntoIterator<Item = [P; 2]>,
    ) -> Self {
        self.shape("cylinder", name, ink, radius, ends)
    }

    /// A solid block: its middle, and the middles of three faces that meet.
    pub(crate) fn block<P: Into<[f64; 3]>>(
        self,
        name: &str,
        ink: Ink,
        middles: impl IntoIterator<Item = [P; 4]>,
    ) -> Self {
        self.shape("block", name, ink, 0.0, middles)
    }

    /// A square grid in the plane z = 0, `cells` cells to each side of the origin.
    pub(crate) fn floor(self, cells: u32, cell: f64) -> Self {
        let reach = f64::from(cells) * cell;
        let lift = [f64::NAN; 3];
        let lines = (0..=2 * cells).flat_map(|i| {
            let at = f64::from(i) * cell - reach;
            let across = [[-reach, at, 0.0], [reach, at, 0.0], lift];
            let along = [[at, -reach, 0.0], [at, reach, 0.0], lift];
            across.into_iter().chain(along)
        });
        let lines: Vec<[f64; 3]> = lines.collect();
        self.shape("line", "floor", Ink::Rule, 0.0, [lines])
    }
}

impl<const D: usize> Shape<D> {
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    pub(super) fn ink(&self) -> Ink {
        self.ink
    }

    pub(super) fn size(&self) -> f64 {
        self.size
    }

    pub(super) fn frames(&self) -> &[Vec<[f64; D]>] {
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
