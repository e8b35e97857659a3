//! Models for simulators, by the standard FMI 2.0 for Model Exchange.

mod projection;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use lagrangian_live::{Error, Language, Method, Model, Shape, State};

use projection::Projection;

use crate::arguments::Fmu;
use crate::failure::Failure;
use crate::source::Source;
use crate::values::Values;
use crate::zip;

/// The functions of the standard, around those of a system.
const FUNCTIONS: &str = include_str!("fmu.c");

/// The folder of the library, and the end of its name.
const PLATFORM: (&str, &str) = if cfg!(target_os = "windows") {
    ("win64", "dll")
} else if cfg!(target_os = "macos") {
    ("darwin64", "dylib")
} else {
    ("linux64", "so")
};

/// Writes a model with its sources, and compiles them if there is a compiler of C.
pub(crate) fn write(source: &Source, options: &Fmu) -> Result<(), Failure> {
    let model = source.system(options.choices.system.as_deref())?;
    source.warn(model);
    // A simulator sets the parameters.
    let values = Values::read(model, &options.choices, Some(0.0))?;
    let unit = Unit::new(model, values).map_err(Failure::run)?;
    let sources = [
        ("fmu.c".to_owned(), FUNCTIONS.to_owned()),
        ("system.h".to_owned(), unit.header()),
        (format!("{}.c", unit.name), unit.text.clone()),
    ];
    let mut files = vec![(
        "modelDescription.xml".to_owned(),
        unit.description().into_bytes(),
    )];
    for (name, text) in &sources {
        files.push((format!("sources/{name}"), text.clone().into_bytes()));
    }
    match compile(&unit.name, &sources)? {
        Some(library) => {
            let (folder, extension) = PLATFORM;
            files.push((
                format!("binaries/{folder}/{}.{extension}", unit.name),
                library,
            ));
        }
        None => {
            let _ = io::Write::write_all(
                &mut io::stderr(),
                b"there is no `cc`: the FMU has its sources, and no library\n",
            );
        }
    }
    let path = &options.out;
    fs::write(path, zip::archive(&files))
        .map_err(|error| Failure::run(format!("{}: {error}", path.display())))
}

/// The library, or nothing without a compiler.
fn compile(name: &str, sources: &[(String, String)]) -> Result<Option<Vec<u8>>, Failure> {
    let folder = env::temp_dir().join(format!("lagrangian-{name}-{}", std::process::id()));
    let built = build(&folder, sources);
    // The folder is for this alone.
    let _ = fs::remove_dir_all(&folder);
    built
}

fn build(folder: &Path, sources: &[(String, String)]) -> Result<Option<Vec<u8>>, Failure> {
    let failed = |error: io::Error| Failure::run(format!("{}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in sources {
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    let library: PathBuf = folder.join("library");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-O2", "-fPIC", "-shared", "-o"]);
    command.arg(&library).arg(folder.join("fmu.c")).arg("-lm");
    let output = match command.output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        output => output.map_err(failed)?,
    };
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::run(format!(
            "the sources do not compile:\n{message}"
        )));
    }
    fs::read(library).map(Some).map_err(failed)
}

/// A model with its variables.
struct Unit {
    /// The name of the system in C.
    name: String,
    /// Its methods in C.
    text: String,
    parameters: Vec<String>,
    inputs: Vec<String>,
    /// The coordinates, then the velocities, then the states of first order.
    states: Vec<String>,
    /// The numbers of coordinates and of velocities.
    sizes: [usize; 2],
    outputs: Vec<Output>,
    /// Values at the start of the parameters, the inputs and the states.
    start: Vec<f64>,
    /// The method that gives the derivatives of the states.
    rates: Call,
    projection: Projection,
    doc: String,
}

/// A function in C.
struct Call {
    name: String,
    /// The names of its arguments.
    arguments: Vec<String>,
}

/// A method whose values are outputs.
struct Output {
    call: Call,
    names: Vec<String>,
}

impl Unit {
    fn new(model: &Model, values: Values) -> Result<Self, Error> {
        let outputs = model.methods().iter().filter(|method| {
            method.is_output
                && method.results.len() == 1
                && !matches!(method.results[0].1, Shape::Matrix(..))
        });
        let residual = model
            .method("constraint_residual")
            .ok()
            .filter(|method| !method.results.is_empty());
        let methods: Vec<&Method> = [model.method("energy")?]
            .into_iter()
            .chain(residual)
            .chain(outputs)
            .collect();
        let mut exported = vec!["state_derivative", "integrate"];
        let project = model
            .method("project")
            .ok()
            .filter(|_| !model.constraints().is_empty());
        exported.extend(project.map(|method| &method.name[..]));
        exported.extend(methods.iter().map(|method| &method.name[..]));
        let text = model.text(Language::C99, &exported)?;
        let rates = Call::new(model, model.method("state_derivative")?)?;
        let Values {
            parameters,
            inputs,
            state: State { q, v, z, .. },
        } = values;
        let names = |list: &[lagrangian_live::Variable]| {
            list.iter()
                .flat_map(lagrangian_live::motion::elements)
                .collect::<Vec<_>>()
        };
        let [parameter_names, input_names, q_names, v_names, z_names] = [
            model.parameters(),
            model.inputs(),
            model.coordinates(),
            model.velocities(),
            model.states(),
        ]
        .map(names);
        let mut taken = [
            &parameter_names[..],
            &input_names,
            &q_names,
            &v_names,
            &z_names,
        ]
        .concat();
        let outputs = methods.iter().map(|method| {
            let mut names = output_names(model, method);
            for name in &mut names {
                // Methods and constraints may have the names of values.
                while taken.contains(name) {
                    name.push('_');
                }
                taken.push(name.clone());
            }
            Ok(Output {
                call: Call::new(model, method)?,
                names,
            })
        });
        let outputs: Result<Vec<Output>, Error> = outputs.collect();
        Ok(Self {
            name: rates.name.trim_end_matches("_state_derivative").to_owned(),
            parameters: parameter_names,
            inputs: input_names,
            states: [q_names, v_names, z_names].concat(),
            sizes: [q.len(), v.len()],
            outputs: outputs?,
            start: [parameters, inputs, q, v, z].concat(),
            projection: Projection::new(model, &text)?,
            rates,
            text,
            doc: model
                .doc()
                .split("\n\n")
                .next()
                .unwrap_or_default()
                .replace('\n', " "),
        })
    }

    fn output_names(&self) -> impl Iterator<Item = &String> {
        self.outputs.iter().flat_map(|output| &output.names)
    }

    /// The library and the description belong together if this is the same: it depends on all names in order.
    fn guid(&self) -> String {
        let lists = [&self.parameters, &self.inputs, &self.states];
        let names = lists.into_iter().flatten().chain(self.output_names());
        // FNV-1a of the text and the names.
        let hash = self
            .text
            .bytes()
            .chain(names.flat_map(|name| name.bytes().chain([0])))
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        format!("{}-{hash:016x}", self.name)
    }

    /// The header that names the system for the functions of the standard.
    fn header(&self) -> String {
        let name = &self.name;
        let numbers: Vec<String> = self
            .start
            .iter()
            .map(|value| format!("{value:?}"))
            .collect();
        let mut text = format!(
            "#include \"{name}.c\"\n\n\
             typedef {name} System;\n\
             static const char GUID[] = \"{}\";\n\
             enum {{ PARAMETERS = {}, INPUTS = {}, STATES = {}, OUTPUTS = {}, COORDINATES = {}, RESIDUALS = {} }};\n\
             static const double START[] = {{{}}};\n\n\
             static int evaluate(const System *system, double t, const double *y, const double *u, double *rate, double *outputs)\n\
             {{\n    int code = {};\n    (void)t, (void)u;\n",
            self.guid(),
            self.parameters.len(),
            self.inputs.len(),
            self.states.len(),
            self.output_names().count(),
            self.sizes[0],
            self.projection.residuals(),
            numbers.join(", "),
            self.rates.written(self.sizes, "rate"),
        );
        let mut place = 0;
        for output in &self.outputs {
            let to = format!("outputs + {place}");
            let call = output.call.written(self.sizes, &to);
            let _ = writeln!(text, "    if (code == 0) code = {call};");
            place += output.names.len();
        }
        text + "    return code;\n}\n\n" + &self.projection.text(self.sizes)
    }

    /// The description of the model, `modelDescription.xml`.
    fn description(&self) -> String {
        let (name, guid, doc) = (&self.name, self.guid(), escape(&self.doc));
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <fmiModelDescription fmiVersion=\"2.0\" modelName=\"{name}\" guid=\"{guid}\" description=\"{doc}\" \
             generationTool=\"lagrangian\" variableNamingConvention=\"flat\" numberOfEventIndicators=\"0\">\n\
             <ModelExchange modelIdentifier=\"{name}\">\n\
             <SourceFiles><File name=\"fmu.c\"/></SourceFiles>\n\
             </ModelExchange>\n\
             <ModelVariables>\n{}</ModelVariables>\n\
             <ModelStructure>\n{}</ModelStructure>\n\
             </fmiModelDescription>\n",
            self.variables(),
            self.structure(),
        )
    }

    fn variables(&self) -> String {
        let mut text = String::new();
        let mut number = 0;
        let mut add = |name: &str, attributes: &str, real: &str| {
            let name = escape(name);
            let _ = writeln!(
                text,
                "<ScalarVariable name=\"{name}\" valueReference=\"{number}\" {attributes}><Real{real}/></ScalarVariable>"
            );
            number += 1;
        };
        let kinds = [
            (
                &self.parameters,
                "causality=\"parameter\" variability=\"tunable\"",
            ),
            (&self.inputs, "causality=\"input\""),
            (&self.states, "causality=\"output\" initial=\"exact\""),
        ];
        let named = kinds
            .iter()
            .flat_map(|(names, kind)| names.iter().map(move |name| (name, kind)));
        for ((name, attributes), value) in named.zip(&self.start) {
            add(name, attributes, &format!(" start=\"{value:?}\""));
        }
        for (state, name) in (self.first_state()..).zip(&self.states) {
            let rate = format!("d({name})/dt");
            add(
                &rate,
                "causality=\"local\"",
                &format!(" derivative=\"{state}\""),
            );
        }
        for name in self.output_names() {
            add(name, "causality=\"output\"", "");
        }
        text
    }

    /// The index of the first state, counted from 1.
    fn first_state(&self) -> usize {
        self.parameters.len() + self.inputs.len() + 1
    }

    /// Outputs, derivatives, and the values that an initialization computes; indices are counted from 1.
    fn structure(&self) -> String {
        let state = self.first_state();
        let derivative = state + self.states.len();
        let output = derivative + self.states.len();
        let end = output + self.output_names().count();
        let list = |name: &str, indices: &mut dyn Iterator<Item = usize>| {
            let unknowns: String = indices
                .map(|index| format!("<Unknown index=\"{index}\"/>"))
                .collect();
            format!("<{name}>{unknowns}</{name}>\n")
        };
        list("Outputs", &mut (state..derivative).chain(output..end))
            + &list("Derivatives", &mut (derivative..output))
            + &list("InitialUnknowns", &mut (derivative..end))
    }
}

impl Call {
    /// The function of a method. A text of this method alone has its name.
    fn new(model: &Model, method: &Method) -> Result<Self, Error> {
        let text = model.text(Language::C99, &[&method.name])?;
        let name = text
            .lines()
            .filter_map(|line| line.strip_prefix("int "))
            .find_map(|line| line.split_once('('))
            .map_or("", |(name, _)| name);
        Ok(Self {
            name: name.to_owned(),
            arguments: method
                .arguments
                .iter()
                .map(|argument| argument.name.clone())
                .collect(),
        })
    }

    /// The call with q, v and z within y.
    fn written(&self, [coordinates, velocities]: [usize; 2], to: &str) -> String {
        let arguments = self.arguments.iter().map(|name| match &name[..] {
            "q" => "y".to_owned(),
            "v" => format!("y + {coordinates}"),
            "z" => format!("y + {}", coordinates + velocities),
            name => name.to_owned(),
        });
        let arguments: Vec<String> = arguments.collect();
        format!("{}(system, {}, {to})", self.name, arguments.join(", "))
    }
}

/// The names of the entries of an output: those of constraints, or its own.
fn output_names(model: &Model, method: &Method) -> Vec<String> {
    let (name, shape) = &method.results[0];
    let entry = |i: usize| match (shape, &name[..]) {
        (_, "constraint_residual") => model.constraints()[i].name.clone(),
        (Shape::Scalar, name) => name.to_owned(),
        (_, name) => format!("{name}[{i}]"),
    };
    (0..shape.len()).map(entry).collect()
}

/// A text as an attribute of XML.
fn escape(text: &str) -> String {
    let replaced = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    replaced.replace('"', "&quot;")
}
