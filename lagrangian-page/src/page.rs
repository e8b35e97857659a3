//! The page: its content, and its output.

use std::fmt::Debug;
use std::path::Path;
use std::{fs, io};

use crate::scene::{Drawing, Drawn};
use crate::{Plot, json, model, parts};

/// An HTML page under construction.
///
/// Nothing is checked before the page is written: then parts that do not fit give an error.
pub struct Page {
    title: String,
    about: String,
    times: Vec<f64>,
    events: Vec<(f64, String)>,
    scene: Option<Box<dyn Drawn>>,
    plots: Vec<Plot>,
    /// Equations, parameters and declaration as HTML.
    model: [String; 3],
    links: Vec<(String, String)>,
    speed: f64,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.into(),
            about: String::new(),
            times: Vec::new(),
            events: Vec::new(),
            scene: None,
            plots: Vec::new(),
            model: Default::default(),
            links: Vec::new(),
            speed: 1.0,
        }
    }

    /// Adds a description below the title.
    #[must_use]
    pub fn about(mut self, text: &str) -> Self {
        self.about = text.into();
        self
    }

    /// The times in seconds, in increasing order: each is a frame of the scene and a point of the plots.
    #[must_use]
    pub fn times(mut self, times: impl IntoIterator<Item = f64>) -> Self {
        self.times = times.into_iter().collect();
        self
    }

    /// Names an event that begins at `time`: a line in every plot, and the caption of the scene from then on.
    #[must_use]
    pub fn event(mut self, time: f64, label: &str) -> Self {
        self.events.push((time, label.into()));
        self
    }

    /// The animated mechanism, in the plane or in space.
    #[must_use]
    pub fn scene<const D: usize>(mut self, scene: Drawing<D>) -> Self {
        self.scene = Some(Box::new(scene));
        self
    }

    /// Adds a plot after the others.
    #[must_use]
    pub fn plot(mut self, plot: Plot) -> Self {
        self.plots.push(plot);
        self
    }

    /// Shows the model: its equations, the `EQUATIONS_MATHML` of its type; the parameters of the `system`, which
    /// derives `Debug`; and its declaration from `source`, the text of a file: `include_str!("main.rs")`.
    #[must_use]
    pub fn model(mut self, source: &str, equations_mathml: &str, system: &dyn Debug) -> Self {
        self.model = model::figures(source, equations_mathml, system);
        self
    }

    /// Sets the initial speed; 1 is the time of the motion.
    #[must_use]
    pub fn speed(mut self, speed: f64) -> Self {
        self.speed = speed;
        self
    }

    /// Adds a link to another page below the title.
    #[must_use]
    pub fn link(mut self, text: &str, address: &str) -> Self {
        self.links.push((text.into(), address.into()));
        self
    }

    /// Writes the page and returns its address, which terminals show as a link.
    ///
    /// For a path that ends in `.svg` it writes only the scene, as a picture. In the plane the picture moves in every
    /// viewer; in space it is the view in the middle of the motion.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if the parts do not fit together: times that do not increase, or
    /// fewer than two; a line or a shape without one entry for each time; a picture without a scene. Otherwise the
    /// error of the file system.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<String> {
        let path = path.as_ref();
        if path.extension().is_some_and(|name| name == "svg") {
            fs::write(path, self.picture()?)?;
        } else {
            fs::write(path, self.html()?)?;
        }
        let address = path.canonicalize()?.display().to_string();
        Ok(format!("file://{}", address.replace(' ', "%20")))
    }

    /// The page as text.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write), but for the file system's.
    pub fn html(&self) -> io::Result<String> {
        self.check()?;
        let escape = json::escape_html;
        let title = escape(&self.title);
        let links = self.links.iter();
        let links: String = links
            .map(|(text, address)| format!("<a href=\"{}\">{}</a>", escape(address), escape(text)))
            .collect();
        let links = match links.as_str() {
            "" => links,
            _ => format!("<nav aria-label=\"Pages\">{links}</nav>"),
        };
        let [equations, parameters, declaration] = &self.model;
        Ok(parts::fill(
            include_str!("web/page.html"),
            &[
                ("{{title}}", &title),
                ("{{style}}", parts::STYLE),
                ("{{title}}", &title),
                ("{{links}}", &links),
                ("{{about}}", &escape(&self.about)),
                ("{{parameters}}", parameters),
                ("{{equations}}", equations),
                ("{{declaration}}", declaration),
                ("{{data}}", &self.data()),
                ("{{drawing}}", parts::DRAWING),
                ("{{player}}", include_str!("web/player.js")),
            ],
        ))
    }

    /// The scene as a picture, an SVG; see [`write`](Self::write).
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write), but for the file system's.
    pub fn picture(&self) -> io::Result<String> {
        self.check()?;
        let picture = self
            .scene
            .as_ref()
            .and_then(|scene| scene.picture(&self.times));
        picture.ok_or_else(|| invalid(format!("`{}` has no scene for a picture", self.title)))
    }

    fn check(&self) -> io::Result<()> {
        let increase = self.times.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = self.times.iter().all(|time| time.is_finite());
        let problem = if self.times.len() < 2 {
            Some("at least two times are needed: `.times(motion.times())`".to_owned())
        } else if !increase || !finite {
            Some("the times do not increase".to_owned())
        } else if !(self.speed > 0.0 && self.speed.is_finite()) {
            Some(format!("a speed of {}", self.speed))
        } else {
            let count = self.times.len();
            self.scene
                .iter()
                .find_map(|scene| scene.problem(count))
                .or_else(|| self.plots.iter().find_map(|plot| plot.problem(count)))
        };
        problem.map_or(Ok(()), |problem| {
            Err(invalid(format!("page `{}`: {problem}", self.title)))
        })
    }

    fn data(&self) -> String {
        let events = self.events.iter().map(|(time, label)| {
            json::object(&[("time", json::exact(*time)), ("label", json::string(label))])
        });
        let scene = self
            .scene
            .as_ref()
            .map_or("null".into(), |scene| scene.json());
        json::object(&[
            (
                "times",
                json::array(self.times.iter().map(|&time| json::exact(time))),
            ),
            ("speed", json::exact(self.speed)),
            ("events", json::array(events)),
            ("scene", scene),
            ("plots", json::array(self.plots.iter().map(Plot::json))),
        ])
    }
}

fn invalid(problem: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, problem)
}
