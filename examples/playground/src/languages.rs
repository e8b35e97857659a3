//! The system with its values as programs in other languages.

use std::fmt::Write;

use lagrangian_live::{Error, Language, Shape};

use crate::session::{Session, exact};

/// The methods of the text in C, as far as the system has them.
const METHODS: [&str; 5] = ["acceleration", "energy", "linearize", "project", "rk4_step"];

/// The declaration, without the lines before it.
fn declaration(session: &Session) -> &str {
    let text = session.model.declaration().trim_end();
    let first = text.len() - text.trim_start().len();
    text.get(text[..first].rfind('\n').map_or(0, |line_end| line_end + 1)..)
        .unwrap_or(text)
}

/// The values of the parameters, by parameter.
fn parameters(session: &Session) -> Vec<(&str, Shape, &[f64])> {
    let mut entries = &session.parameters[..];
    let parameters = session.model.parameters().iter().map(|parameter| {
        let (values, remaining) = entries.split_at(parameter.shape.len().min(entries.len()));
        entries = remaining;
        (&parameter.name[..], parameter.shape, values)
    });
    parameters.collect()
}

/// A value as a literal of Rust and of Python.
fn literal(shape: Shape, entries: &[f64]) -> String {
    match (shape, entries) {
        (Shape::Scalar, [value]) => format!("{value:?}"),
        (Shape::Matrix(_, columns), entries) if columns > 0 => {
            let rows: Vec<String> = entries.chunks(columns).map(exact).collect();
            format!("[{}]", rows.join(", "))
        }
        (_, entries) => exact(entries),
    }
}

/// A program for a package that depends on `lagrangian`.
pub(crate) fn rust(session: &Session) -> String {
    let name = session.model.name();
    let mut text = format!(
        "use lagrangian::{{lagrangian, vector}};\n\nlagrangian! {{\n{}\n}}\n\n\
         fn main() -> Result<(), lagrangian::Error> {{\n",
        declaration(session)
    );
    let fields = parameters(session);
    if fields.is_empty() {
        let _ = writeln!(text, "    let system = {name}::<f64>::default();");
    } else {
        let _ = writeln!(text, "    let system = {name} {{");
        for (field, shape, entries) in fields {
            let _ = writeln!(text, "        {field}: {},", literal(shape, entries));
        }
        text += "    };\n";
    }
    let arguments = session
        .model
        .method("acceleration")
        .map(|method| &method.arguments[..]);
    let mut arguments_in_call = Vec::new();
    for argument in arguments.unwrap_or_default() {
        let name = &argument.name[..];
        let start = &session.start;
        let entries = match name {
            "t" => {
                text += "    let t = 0.0;\n";
                arguments_in_call.push(name.to_owned());
                continue;
            }
            "q" => &start.q,
            "v" => &start.v,
            "z" => &start.z,
            _ => &session.inputs,
        };
        let _ = writeln!(text, "    let {name} = vector!{};", exact(entries));
        arguments_in_call.push(format!("&{name}"));
    }
    let _ = writeln!(
        text,
        "    println!(\"{{}}\", system.acceleration({})?);\n    Ok(())\n}}",
        arguments_in_call.join(", ")
    );
    text
}

/// One file, with the outputs too.
pub(crate) fn c(session: &Session) -> String {
    let methods = session.model.methods().iter().filter(|method| {
        let is_wanted = METHODS.contains(&&method.name[..]) || method.is_output;
        is_wanted && method.is_exportable
    });
    let names: Vec<&str> = methods.map(|method| &method.name[..]).collect();
    let text = session.model.text(Language::C99, &names);
    text.unwrap_or_else(|error: Error| format!("/* {error} */\n"))
}

/// The words of Python that a name of a declaration can be: the package has them with an underscore.
const OF_PYTHON: &str = "False None True and assert class def del elif except finally from global import is lambda nonlocal \
                         not or pass raise with";

fn word(name: &str) -> String {
    let is_word = OF_PYTHON.split_whitespace().any(|word| word == name);
    format!("{name}{}", if is_word { "_" } else { "" })
}

/// A program with the package `lagrangian` for Python.
pub(crate) fn python(session: &Session) -> String {
    let parameters = parameters(session)
        .into_iter()
        .map(|(name, shape, entries)| format!("{}={}", word(name), literal(shape, entries)));
    let parameters: Vec<String> = parameters.collect();
    let start = &session.start;
    let mut values = vec![exact(&start.q), exact(&start.v)];
    if !start.z.is_empty() {
        values.push(format!("z={}", exact(&start.z)));
    }
    values.extend(["until=10".to_owned(), "step=1e-3".to_owned()]);
    if !session.inputs.is_empty() {
        values.push(format!("u={}", exact(&session.inputs)));
    }
    format!(
        "import lagrangian\n\ntext = r\"\"\"\n{}\n\"\"\"\nsystem = lagrangian.read(text)({})\n\
         motion = system.simulate({})\nprint(motion.q[-1])\n",
        declaration(session),
        parameters.join(", "),
        values.join(", ")
    )
}
