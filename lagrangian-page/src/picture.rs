//! A scene as an SVG picture: in the plane it moves in every viewer, in space it is the view in the middle of the
//! motion.

use std::fmt::Write;

use crate::json::escape_html;
use crate::scene::{Drawing, Ink, Shape};
use crate::solid;

/// Frames per second of the picture, if the page has as many.
const RATE: f64 = 20.0;
const WIDTH: f64 = 640.0;
/// The margin around the scene in pixels.
const MARGIN: f64 = 12.0;

/// The minimum thickness of lines in pixels.
const STROKE: f64 = 2.5;

/// In metres or in pixels; NaN if the pen is lifted.
type Point = [f64; 2];

/// The map from metres to pixels.
struct View {
    left: f64,
    top: f64,
    scale: f64,
    height: f64,
}

impl View {
    fn around(points: impl Iterator<Item = Point> + Clone) -> Self {
        let least = |k: usize| points.clone().map(|p| p[k]).fold(f64::INFINITY, f64::min);
        let most = |k: usize| {
            points
                .clone()
                .map(|p| p[k])
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let scale = (WIDTH - 2.0 * MARGIN) / (most(0) - least(0)).max(f64::MIN_POSITIVE);
        Self {
            left: least(0),
            top: most(1),
            scale,
            height: (most(1) - least(1)) * scale + 2.0 * MARGIN,
        }
    }

    fn at(&self, [x, y]: Point) -> Point {
        [
            MARGIN + (x - self.left) * self.scale,
            MARGIN + (self.top - y) * self.scale,
        ]
    }

    /// The value of the attribute `points`, to a tenth of a pixel.
    fn points(&self, points: &[Point]) -> String {
        let mut text = String::new();
        for point in points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
            let [x, y] = self.at(*point).map(short);
            let _ = write!(text, "{x},{y} ");
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The value of the attribute `d`: a point that is NaN lifts the pen.
    fn path(&self, points: &[Point]) -> String {
        let mut text = String::new();
        let mut command = 'M';
        for point in points {
            if point.iter().any(|x| !x.is_finite()) {
                command = 'M';
                continue;
            }
            let [x, y] = self.at(*point).map(short);
            let _ = write!(text, "{command}{x} {y}");
            command = 'L';
        }
        text
    }
}

/// A point of the plane unchanged, a point in space as seen from far away.
fn seen<const D: usize>(point: &[f64; D]) -> Point {
    match *point.as_slice() {
        [x, y] => [x, y],
        [x, y, z] => {
            let (sa, ca) = AZIMUTH.sin_cos();
            let (se, ce) = ELEVATION.sin_cos();
            [ca * y - sa * x, ce * z - se * (ca * x + sa * y)]
        }
        _ => [f64::NAN; 2],
    }
}

/// The nearness of the middle of these points to the viewer.
fn nearness<const D: usize>(points: &[[f64; D]]) -> f64 {
    let ((sa, ca), (se, ce)) = (AZIMUTH.sin_cos(), ELEVATION.sin_cos());
    let depths = points.iter().filter_map(|point| match *point.as_slice() {
        [x, y, z] => Some(ce * (ca * x + sa * y) + se * z),
        _ => None,
    });
    let (count, sum) = depths
        .filter(|depth| depth.is_finite())
        .fold((0.0_f64, 0.0), |(count, sum), depth| {
            (count + 1.0, sum + depth)
        });
    sum / count.max(1.0)
}

/// To a tenth, without a trailing zero.
fn short(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), Into::into)
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Rule => "r",
        Ink::Ground => "g",
        Ink::Body => "k",
        Ink::Blue => "b",
        Ink::Orange => "o",
        Ink::Green => "n",
        Ink::Violet => "v",
    }
}

/// The direction of the view in space, the initial one of the page [rad].
const AZIMUTH: f64 = -0.9;
const ELEVATION: f64 = 0.35;

/// The picture; `None` for an empty scene.
pub(crate) fn svg<const D: usize>(drawing: &Drawing<D>, times: &[f64]) -> Option<String> {
    let (first, last) = (times.first()?, times.last()?);
    let duration = last - first;
    let count = (duration * RATE).round().clamp(1.0, times.len() as f64) as usize;
    let step = duration / count as f64;
    // For each frame of the picture the number of the page's frame.
    let frames: Vec<usize> = if D == 2 {
        (0..count)
            .map(|i| times.partition_point(|t| t - first < i as f64 * step))
            .collect()
    } else {
        vec![times.len() / 2]
    };
    let mut shapes: Vec<Moving> = drawing
        .shapes()
        .iter()
        .map(|shape| Moving::new(shape, &frames))
        .collect();
    // From far to near; in the plane all have the same distance.
    shapes.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    let points = shapes.iter().flat_map(Moving::reach);
    points.clone().next()?;
    let view = View::around(points);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\">\n<title>{}</title>\n{STYLE}\n",
        short(view.height),
        escape_html(drawing.about()),
    );
    for shape in &shapes {
        shape.write(&mut svg, &view, duration);
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

const STYLE: &str = "<style>
* { fill: none; stroke-linecap: round; stroke-linejoin: round }
.r { --c: #d5d9de } .g { --c: #9aa3ad } .k { --c: #3f4650 } .b { --c: #2563c4 } .o { --c: #c9560c } .n { --c: #14795a } .v { --c: #7239b5 }
@media (prefers-color-scheme: dark) {
.r { --c: #3a3f45 } .g { --c: #767f89 } .k { --c: #c9cfd6 } .b { --c: #6aa0f5 } .o { --c: #f0904f } .n { --c: #4fc49a } .v { --c: #b48af0 }
}
polyline, path { stroke: var(--c) } circle, polygon { fill: var(--c) }
</style>";

/// A shape with the frames of the picture.
struct Moving<'a> {
    shape: &'a str,
    class: &'static str,
    size: f64,
    /// In space the nearness of the middle of its points; guide lines are behind everything.
    nearness: f64,
    frames: Vec<Vec<Point>>,
}

impl<'a> Moving<'a> {
    fn new<const D: usize>(shape: &'a Shape<D>, frames: &[usize]) -> Self {
        let flat = |points: &Vec<[f64; D]>| -> Vec<Point> {
            match solid::corners(shape.kind(), shape.size(), points) {
                Some(corners) => solid::outline(corners.iter().map(seen).collect()),
                None => points.iter().map(seen).collect(),
            }
        };
        let taken: Vec<Vec<Point>> = match shape.frames() {
            [still] => vec![flat(still)],
            // The whole path at once, by all of its points: those of the picture's frames alone would be corners.
            moving if shape.kind() == "trail" => moving.iter().map(flat).collect(),
            moving => frames.iter().map(|&i| flat(&moving[i])).collect(),
        };
        Self {
            shape: if solid::is(shape.kind()) {
                "polygon"
            } else {
                shape.kind()
            },
            class: class(shape.ink()),
            size: shape.size(),
            nearness: match (shape.ink(), shape.frames().get(frames[0])) {
                (Ink::Rule, _) if D == 3 => f64::NEG_INFINITY,
                (_, moving) => nearness(moving.unwrap_or(&shape.frames()[0])),
            },
            frames: taken,
        }
    }

    /// Points that bound it.
    fn reach(&self) -> impl Iterator<Item = Point> + Clone {
        let size = match self.shape {
            "circle" | "rod" => self.size,
            _ => 0.0,
        };
        self.frames
            .iter()
            .flatten()
            .filter(|p| p.iter().all(|x| x.is_finite()))
            .flat_map(move |[x, y]| [[x - size, y - size], [x + size, y + size]])
    }

    /// The thickness of its lines in pixels.
    fn width(&self, view: &View) -> String {
        let width = match self.shape {
            "rod" => 2.0 * self.size * view.scale,
            _ => STROKE,
        };
        short(width.max(STROKE))
    }

    /// Returns whether the pen is lifted somewhere.
    fn is_broken(&self) -> bool {
        self.frames
            .iter()
            .flatten()
            .flatten()
            .any(|x| !x.is_finite())
    }

    fn write(&self, svg: &mut String, view: &View, duration: f64) {
        let class = self.class;
        let _ = match self.shape {
            // Faintly.
            "trail" => {
                let path = view.path(&thinned(self.frames.iter().flatten(), view.scale));
                writeln!(
                    svg,
                    "<path class=\"{class}\" opacity=\".25\" d=\"{path}\"/>"
                )
            }
            "circle" | "mark" => {
                let radius = short(if self.shape == "mark" {
                    3.0
                } else {
                    self.size * view.scale
                });
                let coordinates = |k: usize| {
                    self.frames
                        .iter()
                        .map(move |points| short(view.at(points[0])[k]))
                };
                let _ = write!(svg, "<circle class=\"{class}\" r=\"{radius}\"");
                element(
                    svg,
                    "circle",
                    &[
                        ("cx", coordinates(0).collect()),
                        ("cy", coordinates(1).collect()),
                    ],
                    duration,
                )
            }
            // Text would be too small in the picture.
            "label" => Ok(()),
            "polygon" => {
                let _ = write!(svg, "<polygon class=\"{class}\"");
                let points = self
                    .frames
                    .iter()
                    .map(|points| view.points(points))
                    .collect();
                element(svg, "polygon", &[("points", points)], duration)
            }
            kind if kind != "arrow" && self.is_broken() => {
                let width = self.width(view);
                let _ = write!(svg, "<path class=\"{class}\" stroke-width=\"{width}\"");
                let paths = self.frames.iter().map(|points| view.path(points)).collect();
                element(svg, "path", &[("d", paths)], duration)
            }
            kind => {
                let width = self.width(view);
                let _ = write!(svg, "<polyline class=\"{class}\" stroke-width=\"{width}\"");
                let points = self
                    .frames
                    .iter()
                    .map(|points| view.points(&tipped(kind, points)))
                    .collect();
                element(svg, "polyline", &[("points", points)], duration)
            }
        };
    }
}

/// A path without the points that are less than two pixels from the one before.
fn thinned<'a>(path: impl Iterator<Item = &'a Point>, scale: f64) -> Vec<Point> {
    let mut spaced: Vec<Point> = Vec::new();
    for point in path {
        let is_near = |last: &Point| (point[0] - last[0]).hypot(point[1] - last[1]) * scale < 2.0;
        if !spaced.last().is_some_and(is_near) {
            spaced.push(*point);
        }
    }
    spaced
}

/// An arrow has a tip; a vector that is too short for a tip is not drawn.
fn tipped(kind: &str, points: &[Point]) -> Vec<Point> {
    let (&[from, to], "arrow") = (points, kind) else {
        return points.to_vec();
    };
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let barb = |side: f64| {
        [
            to[0] - 0.2 * (dx + side * dy),
            to[1] - 0.2 * (dy - side * dx),
        ]
    };
    vec![from, to, barb(1.0), to, barb(-1.0)]
}

/// The attributes of an open element, and their changes.
fn element(
    svg: &mut String,
    name: &str,
    attributes: &[(&str, Vec<String>)],
    duration: f64,
) -> std::fmt::Result {
    for (attribute, values) in attributes {
        write!(svg, " {attribute}=\"{}\"", values[0])?;
    }
    svg.push('>');
    for (attribute, values) in attributes.iter().filter(|(_, values)| values.len() > 1) {
        let values = values.join(";");
        write!(
            svg,
            "\n<animate attributeName=\"{attribute}\" dur=\"{duration}s\" repeatCount=\"indefinite\" values=\"{values}\"/>"
        )?;
    }
    writeln!(svg, "</{name}>")
}
