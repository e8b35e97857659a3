//! The animated mechanism: shapes in world coordinates, y up, one set of points per frame.

use super::json;

/// A color by its role; the page has a light and a dark version of each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
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
            Self::Ground => "ground",
            Self::Body => "body",
            Self::Blue => "blue",
            Self::Orange => "orange",
            Self::Green => "green",
            Self::Violet => "violet",
        })
    }
}

/// A point of the plane [m].
type Point = [f64; 2];

struct Shape {
    kind: &'static str,
    name: String,
    ink: Ink,
    /// Radius [m] of a circle, seconds shown of a trail, else unused.
    size: f64,
    /// The points of each frame; a single frame is a shape that stands still.
    frames: Vec<Vec<Point>>,
}

/// A mechanism drawn frame by frame, later shapes above earlier ones.
///
/// Each shape takes an iterator over its frames: as many as the page has times, or just one if it
/// stands still. A point is anything that converts into `[f64; 2]`, so also a nalgebra vector;
/// mechanisms in space are projected by the caller.
pub(crate) struct Scene {
    about: String,
    shapes: Vec<Shape>,
}

impl Scene {
    /// An empty scene; `about` says what is seen to those who cannot see it.
    pub(crate) fn new(about: &str) -> Self {
        Self {
            about: about.into(),
            shapes: Vec::new(),
        }
    }

    /// An open polyline. A point that is not a number lifts the pen: a wireframe is one shape.
    pub(crate) fn line<P: Into<Point>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        self.shape("line", name, ink, 0.0, frames)
    }

    /// A filled polygon, closed by itself.
    pub(crate) fn polygon<P: Into<Point>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = impl IntoIterator<Item = P>>,
    ) -> Self {
        self.shape("polygon", name, ink, 0.0, frames)
    }

    /// An arrow from the first point of each frame to the second, if long enough to see.
    pub(crate) fn arrow<P: Into<Point>>(
        self,
        name: &str,
        ink: Ink,
        frames: impl IntoIterator<Item = [P; 2]>,
    ) -> Self {
        self.shape("arrow", name, ink, 0.0, frames)
    }

    /// A disc of the given radius [m].
    pub(crate) fn circle<P: Into<Point>>(
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
    pub(crate) fn mark<P: Into<Point>>(
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
    pub(crate) fn trail<P: Into<Point>>(
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
    pub(crate) fn label(self, text: &str, ink: Ink, at: impl Into<Point>) -> Self {
        self.shape("label", text, ink, 0.0, [[at]])
    }

    fn shape<P: Into<Point>>(
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

    pub(super) fn json(&self) -> String {
        json::object(&[
            ("about", json::string(&self.about)),
            ("shapes", json::array(self.shapes.iter().map(Shape::json))),
        ])
    }
}

impl Shape {
    fn json(&self) -> String {
        let frame = |points: &Vec<Point>| {
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
