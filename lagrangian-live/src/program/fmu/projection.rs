//! The functions in C that move a state onto the constraints, and that tell how far it is from them.

use std::fmt::Write;

use lagrangian_live::{Error, Model};

use super::Call;

/// The parts of the text for a projection.
pub(super) struct Projection {
    /// Nothing without constraints.
    project: Option<Call>,
    /// The function that gives q with quaternions of unit length.
    integrate: Call,
    /// The functions that give residuals with their limits.
    limited: Vec<Limited>,
}

/// A function that gives residuals with their limits, for the projection alone.
struct Limited {
    call: Call,
    residuals: usize,
    /// The function for holonomic constraints has their rows of J between the residuals and the limits.
    has_rows: bool,
}

impl Projection {
    pub(super) fn new(model: &Model, text: &str) -> Result<Self, Error> {
        let integrate = Call::new(model, model.method("integrate")?)?;
        if model.constraints().is_empty() {
            return Ok(Self {
                project: None,
                integrate,
                limited: Vec::new(),
            });
        }
        let project = Call::new(model, model.method("project")?)?;
        let system = project.name.trim_end_matches("_project");
        let limited = [("residuals", true), ("rates", false)]
            .into_iter()
            .filter_map(|(name, has_rows)| {
                let name = format!("{system}_helper_{name}");
                let start = format!("static int {name}(");
                let signature = text.lines().find_map(|line| line.strip_prefix(&start))?;
                let arguments = project
                    .arguments
                    .iter()
                    .filter(|name| !has_rows || *name != "v");
                Some(Limited {
                    call: Call {
                        name,
                        arguments: arguments.cloned().collect(),
                    },
                    residuals: last_length(signature)?,
                    has_rows,
                })
            });
        Ok(Self {
            limited: limited.collect(),
            project: Some(project),
            integrate,
        })
    }

    /// The number of residuals.
    pub(super) fn residuals(&self) -> usize {
        self.limited.iter().map(|limited| limited.residuals).sum()
    }

    /// The functions `measure`, `normalise` and `project`.
    pub(super) fn text(&self, sizes: [usize; 2]) -> String {
        let [coordinates, velocities] = sizes;
        let rows = self.residuals() * velocities + 1;
        let mut text = format!(
            "static int measure(const System *system, double t, const double *y, double *residuals, double *limits)\n\
             {{\n    double rows[{rows}];\n    int code = 0;\n    \
             (void)system, (void)t, (void)y, (void)residuals, (void)limits, (void)rows;\n"
        );
        let mut place = 0;
        for limited in &self.limited {
            let rows = if limited.has_rows { "rows, " } else { "" };
            let to = format!("residuals + {place}, {rows}limits + {place}");
            let call = limited.call.written(sizes, &to);
            let _ = writeln!(text, "    if (code == 0) code = {call};");
            place += limited.residuals;
        }
        let whole = "memcpy(to, y, STATES * sizeof *to);";
        let _ = writeln!(
            text,
            "    return code;\n}}\n\n\
             static int normalise(const System *system, const double *y, double *to)\n\
             {{\n    const double still[{velocities}] = {{0}};\n    {whole}\n    \
             return {}(system, y, still, to);\n}}\n\n\
             static int project(const System *system, double t, const double *y, double *to)\n{{",
            self.integrate.name
        );
        let _ = match &self.project {
            Some(project) => {
                let call = project.written(sizes, &format!("to, to + {coordinates}"));
                writeln!(text, "    (void)t;\n    {whole}\n    return {call};\n}}")
            }
            None => writeln!(
                text,
                "    (void)t;\n    return normalise(system, y, to);\n}}"
            ),
        };
        text
    }
}

/// The length of the last array of a signature: `4` of `.., double limits[4])`.
fn last_length(signature: &str) -> Option<usize> {
    let (_, length) = signature.rsplit_once('[')?;
    length.split(']').next()?.parse().ok()
}
