//! What the examples share: a self-contained HTML page with an animated mechanism and line plots
//! over one time axis, and a table for the terminal.
//!
//! ```text
//! let path = Page::new("Pendulum", "What the reader sees.", times)
//!     .scene(Scene::new("A rod").line("rod", Ink::Body, rods).trail(Ink::Blue, 1.5, bobs))
//!     .plot(Plot::new("Angle", "rad").line("θ", Ink::Blue, angles))
//!     .write("pendulum.html")?;
//! ```
//!
//! A mechanism in space is a `Space` of the same shapes, which the reader turns. The page needs no
//! network: style, scripts and data are all in the one file.
#![allow(
    dead_code,
    unused_imports,
    reason = "each example uses its part of this helper"
)]

mod gallery;
mod json;
mod model;
mod picture;
mod playground;
mod plot;
mod scene;
mod solid;
mod table;

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

pub(crate) use gallery::{GALLERY, PAGES, gallery_folder, write_index};
pub(crate) use playground::write_playground;
pub(crate) use plot::Plot;
pub(crate) use scene::{Drawing, Ink, Scene, Space};
pub(crate) use table::print_table;

/// An HTML page in the making.
pub(crate) struct Page {
    title: String,
    about: String,
    times: Vec<f64>,
    events: Vec<(f64, String)>,
    /// The animated mechanism, written as JSON already.
    scene: String,
    /// The same as a picture, moving where it is in the plane.
    picture: Option<String>,
    plots: Vec<Plot>,
    /// Declaration, equations and parameters, written as HTML already.
    model: String,
    /// How fast it plays at first: 1 is the time of the motion.
    speed: f64,
}

/// Cargo's target folder, where this is one of its examples; else the system's temporary one.
fn folder() -> PathBuf {
    let program = env::current_exe().ok();
    let examples = program.as_deref().and_then(Path::parent);
    let target = examples
        .filter(|folder| folder.ends_with("examples"))
        .and_then(|folder| folder.ancestors().nth(2));
    target.map_or_else(env::temp_dir, Path::to_path_buf)
}

/// What terminals make a link.
fn address(path: &Path) -> io::Result<String> {
    let address = path.canonicalize()?.display().to_string();
    Ok(format!("file://{}", address.replace(' ', "%20")))
}

impl Page {
    /// A page about the instants `times` [s], in increasing order: one animation frame and one
    /// plotted value for each.
    pub(crate) fn new(title: &str, about: &str, times: impl IntoIterator<Item = f64>) -> Self {
        let times: Vec<f64> = times.into_iter().collect();
        assert!(
            times.is_sorted() && times.len() > 1,
            "the times must increase"
        );
        Self {
            title: title.into(),
            about: about.into(),
            times,
            events: Vec::new(),
            scene: "null".into(),
            picture: None,
            plots: Vec::new(),
            model: String::new(),
            speed: 1.0,
        }
    }

    /// Names what begins at `time`: a line in every plot, and the caption of the animation from
    /// then on.
    pub(crate) fn event(mut self, time: f64, label: &str) -> Self {
        self.events.push((time, label.into()));
        self
    }

    /// Sets the animated mechanism, in the plane or in space.
    pub(crate) fn scene<const D: usize>(mut self, scene: Drawing<D>) -> Self {
        scene.check(self.times.len());
        self.scene = scene.json();
        self.picture = picture::svg(&scene, &self.times);
        self
    }

    /// Adds a plot below those already there.
    pub(crate) fn plot(mut self, plot: Plot) -> Self {
        plot.check(self.times.len());
        self.plots.push(plot);
        self
    }

    /// Shows the model: the declaration in the `source` of the example, its `equations` as MathML, and the
    /// parameters of the `system`.
    pub(crate) fn model(mut self, source: &str, equations: &str, system: &dyn Debug) -> Self {
        self.model = model::html(source, equations, system);
        self
    }

    /// Sets how fast it plays at first, one of the speeds that the page offers.
    pub(crate) fn speed(mut self, speed: f64) -> Self {
        self.speed = speed;
        self
    }

    /// Writes the page and returns its address, which terminals make a link: at the path given as the
    /// program's first argument, else as `file_name` in the folder that the program was built in.
    /// A path that ends in `.svg` asks for the animation alone, as a picture.
    ///
    /// A page of the gallery goes to its folder, with links to the others and the picture beside it.
    pub(crate) fn write(&self, file_name: &str) -> io::Result<String> {
        if let Some(folder) = gallery::folder() {
            let path = folder.join(file_name);
            if let Some(picture) = &self.picture {
                fs::write(path.with_extension("svg"), picture)?;
            }
            fs::write(&path, self.html(&gallery::links(file_name)))?;
            return address(&path);
        }
        let path = match env::args_os().nth(1) {
            Some(path) => PathBuf::from(path),
            None => folder().join(file_name),
        };
        match &self.picture {
            Some(picture) if path.extension().is_some_and(|name| name == "svg") => {
                fs::write(&path, picture)?;
            }
            _ => fs::write(&path, self.html(""))?,
        }
        address(&path)
    }

    fn html(&self, links: &str) -> String {
        let title = json::escape_html(&self.title);
        fill(
            include_str!("page.html"),
            &[
                ("{{title}}", &title),
                ("{{style}}", include_str!("page.css")),
                ("{{title}}", &title),
                ("{{links}}", links),
                ("{{about}}", &json::escape_html(&self.about)),
                ("{{model}}", &self.model),
                ("{{data}}", &self.data()),
                (
                    "{{script}}",
                    concat!(
                        include_str!("solids.js"),
                        include_str!("space.js"),
                        include_str!("scene.js"),
                        include_str!("plots.js"),
                        include_str!("player.js")
                    ),
                ),
            ],
        )
    }

    fn data(&self) -> String {
        let events = self.events.iter().map(|(time, label)| {
            json::object(&[
                ("time", json::number(*time)),
                ("label", json::string(label)),
            ])
        });
        json::object(&[
            (
                "times",
                json::array(self.times.iter().map(|&time| json::number(time))),
            ),
            ("speed", json::number(self.speed)),
            ("events", json::array(events)),
            ("scene", self.scene.clone()),
            ("plots", json::array(self.plots.iter().map(Plot::json))),
        ])
    }
}

/// A template with these texts at its placeholders, which are there in this order. It is passed over once: a
/// placeholder that stands in a text stays what it is.
fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    for (placeholder, text) in parts {
        let (before, after) = rest
            .split_once(placeholder)
            .expect("the template has each placeholder, in order");
        filled.push_str(before);
        filled.push_str(text);
        rest = after;
    }
    filled + rest
}
