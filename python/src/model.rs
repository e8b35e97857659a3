//! A declaration as an object of Python.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lagrangian_live::{Language, Model as Live, Shape, Source, SourceError, Variable};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::errors::{declaration_error, other_error, told};

/// A declaration that was read, with its methods.
#[pyclass(frozen, module = "lagrangian._lagrangian")]
pub(crate) struct Model {
    pub(crate) live: Arc<Live>,
    /// The methods that were evaluated before: the first evaluation derives a method.
    derived: Box<[AtomicBool]>,
}

/// Name, shape, default, unit, documentation.
type Described = (String, Vec<usize>, Option<Vec<f64>>, Option<String>, String);

/// Name, documentation, names of the arguments, names and shapes of the results, and whether it has one value without a
/// name of its own.
type Listed = (String, String, Vec<String>, Vec<(String, Vec<usize>)>, bool);

pub(crate) fn dimensions(shape: Shape) -> Vec<usize> {
    match shape {
        Shape::Scalar => vec![],
        Shape::Vector(length) => vec![length],
        Shape::Matrix(rows, columns) => vec![rows, columns],
    }
}

fn described(variable: &Variable) -> Described {
    let Variable {
        name,
        shape,
        default,
        unit,
        doc,
    } = variable.clone();
    (name, dimensions(shape), default, unit, doc)
}

impl Model {
    fn of(live: Live) -> Self {
        Self {
            derived: live.methods().iter().map(|_| false.into()).collect(),
            live: Arc::new(live),
        }
    }

    /// True if a method was evaluated before.
    pub(crate) fn is_derived(&self, method: usize) -> bool {
        self.derived
            .get(method)
            .is_some_and(|derived| derived.load(Ordering::Relaxed))
    }

    pub(crate) fn note_derived(&self, method: usize) {
        if let Some(derived) = self.derived.get(method) {
            derived.store(true, Ordering::Relaxed);
        }
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (text, folder = None))]
    fn new(py: Python, text: &str, folder: Option<PathBuf>) -> PyResult<Self> {
        let live = py.detach(|| match &folder {
            Some(folder) => Live::read_in(text, folder),
            None => Live::read(text),
        });
        let live = live.map_err(|messages| declaration_error(&messages, None))?;
        Ok(Self::of(live))
    }

    fn name(&self) -> &str {
        self.live.name()
    }

    fn doc(&self) -> &str {
        self.live.doc()
    }

    fn declaration(&self) -> &str {
        self.live.declaration()
    }

    /// The message about a name that is no method.
    fn unknown(&self, name: &str) -> String {
        let method = self.live.method(name);
        method.map_or_else(|error| error.to_string(), |method| method.name.clone())
    }

    /// The warnings as arguments of `Diagnostic`.
    fn warnings<'py>(
        &self,
        py: Python<'py>,
        file: Option<&str>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.live
            .warnings()
            .iter()
            .map(|warning| told(warning, file).into_pyobject(py).map(Bound::into_any))
            .collect()
    }

    /// The variables of a kind, such as `coordinates`.
    fn variables(&self, kind: &str) -> PyResult<Vec<Described>> {
        let list = match kind {
            "coordinates" => self.live.coordinates(),
            "velocities" => self.live.velocities(),
            "states" => self.live.states(),
            "parameters" => self.live.parameters(),
            "inputs" => self.live.inputs(),
            "constraints" => self.live.constraints(),
            "contacts" => self.live.contacts(),
            _ => return Err(PyValueError::new_err(format!("no variables are `{kind}`"))),
        };
        Ok(list.iter().map(described).collect())
    }

    fn methods(&self) -> Vec<Listed> {
        let methods = self.live.methods().iter().map(|method| {
            let arguments = method.arguments.iter();
            let fields = method.fields.iter();
            let is_plain = matches!(&method.fields[..], [(name, _)] if *name == method.name);
            (
                method.name.clone(),
                method.doc.clone(),
                arguments.map(|argument| argument.name.clone()).collect(),
                fields
                    .map(|(name, shape)| (name.clone(), dimensions(*shape)))
                    .collect(),
                is_plain,
            )
        });
        methods.collect()
    }

    /// Text, LaTeX and MathML.
    fn equations(&self, py: Python) -> (String, String, String) {
        let equations = py.detach(|| self.live.equations().clone());
        (equations.text, equations.latex, equations.mathml)
    }

    /// Methods in another language.
    fn text(&self, py: Python, language: &str, methods: Vec<String>) -> PyResult<String> {
        let language = match language {
            "c99" => Language::C99,
            "cuda" => Language::Cuda,
            "wgsl" => Language::Wgsl,
            "casadi" => Language::Casadi,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "no language is `{language}`"
                )));
            }
        };
        let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
        py.detach(|| self.live.text(language, &methods))
            .map_err(|error| other_error(&error))
    }

    /// The items of the macro.
    fn rust(&self, py: Python) -> PyResult<String> {
        py.detach(|| self.live.rust())
            .map_err(|error| other_error(&error))
    }
}

/// The declarations of a file, and the folder that their paths are relative to.
#[pyfunction]
pub(crate) fn read_file(py: Python, path: PathBuf) -> PyResult<(Vec<Model>, PathBuf)> {
    match py.detach(|| Source::read(path)) {
        Ok(source) => {
            let folder = source.folder().to_owned();
            let models = source.into_models().into_iter().map(Model::of);
            Ok((models.collect(), folder))
        }
        Err(SourceError::Unreadable(path, error)) if error.kind() != ErrorKind::InvalidData => {
            match error.raw_os_error() {
                // Python finds the class of the number.
                Some(number) => {
                    let words = error.to_string();
                    let words = words.split(" (os error").next().unwrap_or_default();
                    Err(PyOSError::new_err((
                        number,
                        words.to_owned(),
                        path.into_os_string(),
                    )))
                }
                None => Err(error.into()),
            }
        }
        Err(SourceError::Declarations(path, messages)) => {
            let file = path.display().to_string();
            Err(declaration_error(&messages, Some(&file)))
        }
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}
