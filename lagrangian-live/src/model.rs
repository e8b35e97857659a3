//! A declaration that is read at run time.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::OnceLock;
use std::thread;

use lagrange_engine::{Failure, RoutineError, Tape};
use lagrange_lang::{
    Declaration, Equations, Folder, Language, Message, Method, Sketch, Variable, generate, unknown,
};
use proc_macro2::TokenStream;

use crate::contacts::find_forces;
use crate::motion::elements;
use crate::{Diagnostic, Error};

/// The memory of the thread that reads a declaration. The parser limits nesting, so that this suffices for every text.
const STACK: usize = 16 << 20;

/// A declaration that is read at run time, with its methods.
///
/// Each method is derived at its first call. Threads may share a model.
pub struct Model {
    text: String,
    folder: Folder,
    declaration: Declaration,
    warnings: Vec<Diagnostic>,
    /// The methods that were called so far, in the order of the list of methods.
    tapes: Vec<OnceLock<Option<Tape>>>,
    equations: OnceLock<Equations>,
    sketch: OnceLock<Option<Sketch>>,
}

impl Model {
    /// Reads a declaration: the text inside `lagrangian! { .. }`, with its comments. Paths in the text are relative to the
    /// current folder; in a browser they are mistakes.
    ///
    /// ```
    /// use lagrangian_live::Model;
    ///
    /// let model = Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert_eq!(model.name(), "Free");
    /// let wrong = Model::read("struct Free { x: coordinate } T = der(y)^2;").unwrap_err();
    /// assert_eq!(wrong[0].code, "L101");
    /// ```
    ///
    /// # Errors
    ///
    /// All mistakes, as the macro reports them.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        match cfg!(target_family = "wasm") {
            true => Self::read_by(text, Folder::None),
            false => Self::read_in(text, "."),
        }
    }

    /// The same with paths that are relative to a folder.
    ///
    /// ```no_run
    /// use lagrangian_live::Model;
    ///
    /// let text = r#"struct Arm { arm: robot = "panda.urdf" } gravity [0, 0, -9.81];"#;
    /// let model = Model::read_in(text, "examples/models").unwrap();
    /// assert_eq!(model.coordinates().len(), 8);
    /// ```
    ///
    /// # Errors
    ///
    /// All mistakes, as the macro reports them.
    pub fn read_in(text: &str, folder: impl AsRef<Path>) -> Result<Self, Vec<Diagnostic>> {
        Self::read_by(text, Folder::At(folder.as_ref().to_owned()))
    }

    fn read_by(text: &str, folder: Folder) -> Result<Self, Vec<Diagnostic>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (declaration, warnings) = apart(|| {
            let tokens = tokens(text)?;
            let told = |messages| diagnostics(messages, text);
            let read = Declaration::read(tokens, &folder);
            let (declaration, warnings) = read.map_err(told)?;
            Ok::<_, Vec<Diagnostic>>((declaration, told(warnings)))
        })?;
        Ok(Self {
            text: text.to_owned(),
            folder,
            warnings,
            tapes: declaration
                .methods
                .iter()
                .map(|_| OnceLock::new())
                .collect(),
            equations: OnceLock::new(),
            sketch: OnceLock::new(),
            declaration,
        })
    }

    /// The model with the lines of its file in its warnings.
    pub(crate) fn with_lines(mut self, file: &str) -> Self {
        self.warnings = self
            .warnings
            .into_iter()
            .map(|warning| warning.with_lines(file))
            .collect();
        self
    }

    /// The warnings about the declaration. A name that nothing reads has the code `unused_variables`.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct S { x: coordinate, c: parameter } T = der(x)^2;").unwrap();
    /// assert_eq!(model.warnings()[0].message, "unused variable: `c`");
    /// ```
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The name of the struct.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert_eq!(model.name(), "Free");
    /// ```
    pub fn name(&self) -> &str {
        &self.declaration.name
    }

    /// The documentation of the struct.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("/// A mass.\nstruct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert_eq!(model.doc(), "A mass.");
    /// ```
    pub fn doc(&self) -> &str {
        &self.declaration.doc
    }

    /// The text of the declaration.
    ///
    /// ```
    /// let text = "struct Free { x: coordinate } T = der(x)^2;";
    /// assert_eq!(lagrangian_live::Model::read(text).unwrap().declaration(), text);
    /// ```
    pub fn declaration(&self) -> &str {
        &self.text
    }

    /// The coordinates in the order of q, by element: `r[0]`, `att.w`.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { r: coordinate[2] } T = der(r)^2;").unwrap();
    /// assert_eq!(model.coordinates()[1].name, "r[1]");
    /// ```
    pub fn coordinates(&self) -> &[Variable] {
        &self.declaration.coordinates
    }

    /// The velocities in the order of v, by element: `der(r)[0]`.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { r: coordinate[2] } T = der(r)^2;").unwrap();
    /// assert_eq!(model.velocities()[1].name, "der(r)[1]");
    /// ```
    pub fn velocities(&self) -> &[Variable] {
        &self.declaration.velocities
    }

    /// The states of first order in the order of z, by element.
    ///
    /// ```
    /// let text = "struct Lag { x: coordinate, z: state[2] } T = der(x)^2; Q.x = z[0]; der(z) = [z[1], -z[0]];";
    /// assert_eq!(lagrangian_live::Model::read(text).unwrap().states()[1].name, "z[1]");
    /// ```
    pub fn states(&self) -> &[Variable] {
        &self.declaration.states
    }

    /// The parameters in the order of their declaration. The parameters of a call are their elements, row by row.
    ///
    /// ```
    /// use lagrangian_live::{Model, Shape};
    ///
    /// let model = Model::read("struct S { x: coordinate, c: parameter[2] = 3 } T = c[0] * c[1] * der(x)^2;").unwrap();
    /// assert_eq!(model.parameters()[0].shape, Shape::Vector(2));
    /// assert_eq!(model.parameters()[0].default, Some(vec![3.0, 3.0]));
    /// ```
    pub fn parameters(&self) -> &[Variable] {
        &self.declaration.parameters
    }

    /// The inputs in the order of their declaration.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct S { x: coordinate, u: input } T = der(x)^2; Q.x = u;").unwrap();
    /// assert_eq!(model.inputs()[0].name, "u");
    /// ```
    pub fn inputs(&self) -> &[Variable] {
        &self.declaration.inputs
    }

    /// The constraints in the order of their rows: holonomic ones first.
    ///
    /// ```
    /// let text = "struct Bob { r: coordinate[2] } T = der(r)^2; holonomic rod: r^2 = 1;";
    /// assert_eq!(lagrangian_live::Model::read(text).unwrap().constraints()[0].name, "rod");
    /// ```
    pub fn constraints(&self) -> &[Variable] {
        &self.declaration.constraints
    }

    /// The contacts.
    ///
    /// ```
    /// let text = "struct Ball { y: coordinate } T = der(y)^2; contact floor: y >= 0;";
    /// assert_eq!(lagrangian_live::Model::read(text).unwrap().contacts()[0].name, "floor");
    /// ```
    pub fn contacts(&self) -> &[Variable] {
        &self.declaration.contacts
    }

    /// The energies, the equations of motion and the constraints, written out.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert!(model.equations().text.contains("0 = 2*x''"));
    /// ```
    pub fn equations(&self) -> &Equations {
        self.equations.get_or_init(|| self.declaration.equations())
    }

    /// The parts that a picture shows. Not part of the public interface.
    #[doc(hidden)]
    pub fn sketch(&self) -> Option<&Sketch> {
        let sketch = self.sketch.get_or_init(|| self.declaration.sketch());
        sketch.as_ref()
    }

    /// The methods: the generated ones, outputs with the methods beside them, regressors, symmetries and bundles.
    ///
    /// Systems with contacts or dry joints have `resolve`, and `contact_step`, which is a function of the library for Rust.
    ///
    /// ```
    /// use lagrangian_live::{Model, Shape};
    ///
    /// let model = Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// let solve = model.methods().iter().find(|method| method.name == "momenta").unwrap();
    /// assert_eq!(solve.arguments[1].name, "v");
    /// assert_eq!(solve.results, [("momenta".to_owned(), Shape::Vector(1))]);
    /// ```
    pub fn methods(&self) -> &[Method] {
        &self.declaration.methods
    }

    /// The method of this name.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert!(model.method("acceleration").unwrap().is_fallible);
    /// ```
    ///
    /// # Errors
    ///
    /// `UnknownName` with the most similar name.
    pub fn method(&self, name: &str) -> Result<&Method, Error> {
        let methods = &self.declaration.methods;
        methods
            .iter()
            .find(|method| method.name == name)
            .ok_or_else(|| {
                Error::UnknownName(unknown(name, methods.iter().map(|method| &method.name[..])))
            })
    }

    /// Evaluates a method at one state.
    ///
    /// `parameters` are the elements of all parameters, row by row. The arguments and results are those that
    /// [`methods`](Self::methods) lists: one slice for each, matrices row by row, none for arrays without entries. Flags
    /// are 0 or 1, and the time is one number.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct S { x: coordinate, m: parameter } T = m * der(x)^2 / 2;").unwrap();
    /// let mut momenta = [0.0];
    /// model.call("momenta", &[2.0], &[&[0.0], &[3.0]], &mut [&mut momenta])?;
    /// assert_eq!(momenta, [6.0]);
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Wrong names and lengths, and the errors of the method. The results stay as they were then.
    pub fn call(
        &self,
        name: &str,
        parameters: &[f64],
        arguments: &[&[f64]],
        results: &mut [&mut [f64]],
    ) -> Result<(), Error> {
        self.call_batch(name, parameters, arguments, results, 1)
    }

    /// Evaluates a method at `count` states with the same parameters. An argument has the entries of the first state, then
    /// those of the second one, and so on, and so has a result. The time, and the length of a step, are one number for all
    /// states.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct S { x: coordinate, m: parameter } T = m * der(x)^2 / 2;").unwrap();
    /// let mut momenta = [0.0; 3];
    /// model.call_batch("momenta", &[2.0], &[&[0.0; 3], &[3.0, 4.0, 5.0]], &mut [&mut momenta], 3)?;
    /// assert_eq!(momenta, [6.0, 8.0, 10.0]);
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Wrong names and lengths; the results stay as they were then. `State` has the number of the first state at which the
    /// method has an error: the results of such states stay as they were, those of all others are computed.
    pub fn call_batch(
        &self,
        name: &str,
        parameters: &[f64],
        arguments: &[&[f64]],
        results: &mut [&mut [f64]],
        count: usize,
    ) -> Result<(), Error> {
        let method = self.method(name)?;
        self.check_parameters(parameters)?;
        check_arguments(method, arguments, results, count)?;
        let index = self
            .declaration
            .methods
            .iter()
            .position(|known| known.name == name);
        let tape = index.and_then(|index| {
            let tape = self.tapes[index].get_or_init(|| {
                let tape = self.declaration.tape(name)?;
                Some(tape.with_search(find_forces))
            });
            tape.as_ref()
        });
        let tape = tape.ok_or_else(|| Error::UnknownName(unknown(name, [])))?;
        // A tape has arrays without entries too.
        let (mut remaining_arguments, mut remaining_results) =
            (arguments.iter(), results.iter_mut());
        let arguments: Vec<&[f64]> = tape
            .arguments()
            .iter()
            .map(|argument| match argument.length {
                0 => &[][..],
                _ => remaining_arguments.next().copied().unwrap_or_default(),
            })
            .collect();
        let mut results: Vec<&mut [f64]> = tape
            .results()
            .iter()
            .map(|result| match result.shape.len() {
                0 => &mut [][..],
                _ => remaining_results
                    .next()
                    .map_or(&mut [][..], |result| &mut **result),
            })
            .collect();
        let done = tape.evaluate(count, parameters, &arguments, &mut results);
        done.map_err(|Failure { state, error, row }| Error::State {
            index: state,
            reason: error,
            argument: (error == RoutineError::NotFinite)
                .then(|| self.not_finite(tape, parameters, &arguments, state)),
            row,
            constraint: row.and_then(|row| {
                self.constraints()
                    .iter()
                    .chain(self.contacts())
                    .nth(row)
                    .map(|variable| variable.name.clone())
            }),
        })
    }

    fn check_parameters(&self, parameters: &[f64]) -> Result<(), Error> {
        let expected = self
            .declaration
            .parameters
            .iter()
            .map(|parameter| parameter.shape.len())
            .sum();
        check_length("parameters", expected, parameters.len())
    }

    /// The name of the first argument, or of the first element of a parameter, that is not finite at a state, or `result`.
    fn not_finite(
        &self,
        tape: &Tape,
        parameters: &[f64],
        arguments: &[&[f64]],
        index: usize,
    ) -> String {
        for (argument, values) in tape.arguments().iter().zip(arguments) {
            let start = if argument.is_scalar {
                0
            } else {
                index * argument.length
            };
            let entries = values.iter().skip(start).take(argument.length);
            if entries.into_iter().any(|entry| !entry.is_finite()) {
                return argument.name.clone();
            }
        }
        self.declaration
            .parameters
            .iter()
            .flat_map(elements)
            .zip(parameters)
            .find(|(_, entry)| !entry.is_finite())
            .map_or_else(|| "result".to_owned(), |(name, _)| name)
    }

    /// Methods in another language, as one self-contained text. C and CUDA alone have `resolve` and `contact_step`.
    ///
    /// ```
    /// use lagrangian_live::{Language, Model};
    ///
    /// let model = Model::read("struct Puck { x: coordinate } T = der(x)^2;").unwrap();
    /// assert!(model.text(Language::C99, &["momenta"])?.contains("puck_momenta"));
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown name, or a method that no text can contain.
    pub fn text(&self, language: Language, methods: &[&str]) -> Result<String, Error> {
        for name in methods {
            self.method(name)?;
        }
        self.declaration
            .text(language, methods)
            .map_err(Error::Export)
    }

    /// The items that `lagrangian!` generates, for a package that depends on the crate `lagrangian`. They stand in few
    /// lines, which rustfmt divides.
    ///
    /// ```
    /// let model = lagrangian_live::Model::read("struct Free { x: coordinate } T = der(x)^2;").unwrap();
    /// assert!(model.rust()?.contains("pub fn acceleration"));
    /// # Ok::<(), lagrangian_live::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `Declaration` if a file that the text names has changed, and is wrong now.
    pub fn rust(&self) -> Result<String, Error> {
        let generated = apart(|| {
            let items = generate(tokens(&self.text)?, &self.folder);
            let items = items.map_err(|messages| diagnostics(messages, &self.text))?;
            Ok(items.to_string())
        });
        generated.map_err(Error::Declaration)
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

pub(crate) fn tokens(text: &str) -> Result<TokenStream, Vec<Diagnostic>> {
    text.parse()
        .map_err(|error| vec![Diagnostic::of_tokens(&error, text)])
}

fn diagnostics(messages: Vec<Message>, text: &str) -> Vec<Diagnostic> {
    messages
        .into_iter()
        .map(|message| Diagnostic::new(message, text))
        .collect()
}

/// Runs `work` in a thread of its own, which ends with its tokens: their places are kept as long as their thread runs.
pub(crate) fn apart<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        Some(thread.spawn_scoped(scope, &work).ok()?.join())
    });
    match done {
        Some(Ok(value)) => value,
        Some(Err(panic)) => resume_unwind(panic),
        // A platform without threads.
        None => {
            let value = work();
            proc_macro2::extra::invalidate_current_thread_spans();
            value
        }
    }
}

fn check_arguments(
    method: &Method,
    arguments: &[&[f64]],
    results: &[&mut [f64]],
    count: usize,
) -> Result<(), Error> {
    let declared = &method.arguments;
    let names = declared.iter().map(|argument| &argument.name[..]);
    check_count("arguments", names.collect(), arguments.len())?;
    let names = method.results.iter().map(|(name, _)| &name[..]);
    check_count("results", names.collect(), results.len())?;
    for (argument, values) in declared.iter().zip(arguments) {
        let states = if argument.is_scalar { 1 } else { count };
        let expected = argument.length.saturating_mul(states);
        check_length(&argument.name, expected, values.len())?;
    }
    for ((name, shape), values) in method.results.iter().zip(results) {
        check_length(name, shape.len().saturating_mul(count), values.len())?;
    }
    Ok(())
}

fn check_count(what: &'static str, names: Vec<&str>, found: usize) -> Result<(), Error> {
    if names.len() == found {
        return Ok(());
    }
    let names = names.into_iter().map(str::to_owned).collect();
    Err(Error::Count { what, names, found })
}

fn check_length(name: &str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    let name = name.to_owned();
    Err(Error::Length {
        name,
        expected,
        found,
    })
}
