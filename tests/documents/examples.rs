//! An example in the documentation of every public item of the runtime, and of the engine's main types.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Items without an example of their own, and the reason.
const EXEMPT: [(&str, &str); 16] = [
    // Each takes a whole system to be called on: the trait's examples show how generic code calls some of them.
    ("system.rs", "System::"),
    ("system.rs", "Contacts::"),
    ("stateful.rs", "Stateful::"),
    // The examples of the functions that take them show how they are made.
    ("factors.rs", "Factors"),
    ("project.rs", "Constraints"),
    ("space.rs", "Turning"),
    ("contacts.rs", "Touching"),
    // The parts of a `Run`, which no program names. Hidden ones would hide its methods from the facade's documentation.
    ("drive.rs", "Mechanical"),
    ("drive.rs", "OnePhase"),
    ("drive.rs", "WithStates"),
    ("events.rs", "NoEvents"),
    ("events.rs", "NoInputs"),
    ("events.rs", "OfMotion"),
    ("events.rs", "OfStates"),
    ("events.rs", "Watched"),
    ("hybrid.rs", "Hybrid"),
];

/// The engine's main types: the stages from a system to code.
const MAIN: [&str; 14] = [
    "Graph",
    "Number",
    "Symbol",
    "Kinematics",
    "Frames",
    "Body",
    "Multibody",
    "System",
    "Dynamics",
    "Program",
    "SolveProgram",
    "Schedule",
    "Routines",
    "Routine",
];

/// A public item, by its line.
struct Item {
    place: String,
    file: String,
    /// The type or trait that it is of.
    owner: Option<String>,
    name: String,
    /// The code of its compiled examples.
    example: String,
}

/// All sources below a folder, but modules of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let nested = paths.map(|path| match path.is_dir() {
        true if path.ends_with("tests") => Vec::new(),
        true => sources(&path),
        false => vec![path],
    });
    nested.flatten().collect()
}

/// The first name in a text.
fn name(text: &str) -> String {
    let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
    text.trim_start().chars().take_while(is_part).collect()
}

/// The type that a line opens the inherent methods of, or the public trait that it declares.
fn owner(line: &str) -> Option<String> {
    if let Some(name_of_trait) = line.strip_prefix("pub trait ") {
        return Some(name(name_of_trait));
    }
    let after = line.strip_prefix("impl")?;
    // Parameters in angle brackets, themselves without any but `>` of theirs.
    let mut depth = 0;
    let is_outside = |c: char| {
        depth += i32::from(c == '<') - i32::from(c == '>');
        depth == 0 && c == ' '
    };
    let start = after.find(is_outside)?;
    (!after.contains(" for ")).then(|| name(&after[start..]))
}

/// The item that a line declares, if it is public: `unreachable_pub` ensures that every `pub` item is public.
fn declared(line: &str, in_trait: bool) -> Option<String> {
    let line = line.trim_start();
    let rest = match line.strip_prefix("pub ") {
        Some(rest) => rest,
        None if in_trait => line.strip_prefix("fn ").map(|_| line)?,
        None => return None,
    };
    let rest = match rest.strip_prefix("const fn ") {
        Some(_) => &rest["const ".len()..],
        None => rest,
    };
    let kinds = ["fn ", "struct ", "enum ", "trait ", "const ", "type "];
    let declared = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    Some(name(declared)).filter(|name| !name.is_empty())
}

/// The code of the blocks that are compiled.
fn example(documentation: &[String]) -> String {
    let mut code = String::new();
    let (mut inside, mut compiled) = (false, false);
    for line in documentation {
        if let Some(language) = line.trim().strip_prefix("```") {
            inside = !inside;
            compiled = inside && language.is_empty();
        } else if compiled {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

fn items(folder: &Path) -> Vec<Item> {
    let mut items = Vec::new();
    for path in sources(folder) {
        let text = fs::read_to_string(&path).unwrap();
        let (mut documentation, mut hidden) = (Vec::new(), false);
        let (mut of, mut in_trait) = (None, false);
        let mut lines = text.lines().enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            if let Some(documented) = line.trim_start().strip_prefix("///") {
                documentation.push(documented.to_owned());
                continue;
            }
            if line.trim_start().starts_with("#[") {
                hidden |= line.contains("doc(hidden)");
                continue;
            }
            let is_outer = !line.starts_with(' ');
            if let Some(name) = declared(line, in_trait && line.starts_with("    fn ")) {
                items.extend((!hidden).then(|| Item {
                    place: format!("{}:{}", path.display(), number + 1),
                    file: path.file_name().unwrap().to_string_lossy().into_owned(),
                    owner: of.clone().filter(|_| !is_outer),
                    name,
                    example: example(&documentation),
                }));
            }
            if is_outer && !line.is_empty() {
                // The type of a long list of parameters is in the next line.
                let next = lines.peek().filter(|_| line.ends_with('>'));
                let header = next.map(|(_, next)| format!("{line} {}", next.trim()));
                if let Some(owner) = owner(header.as_deref().unwrap_or(line)) {
                    of = Some(owner);
                    in_trait = line.starts_with("pub trait ") && !hidden;
                } else if line.starts_with('}') {
                    (of, in_trait) = (None, false);
                }
            }
            if !line.trim_start().starts_with("//") {
                documentation.clear();
                hidden = false;
            }
        }
    }
    items
}

/// Returns whether code names a method, or a constant of a type.
fn names(code: &str, item: &str) -> bool {
    let mut found = code.match_indices(item);
    found.any(|(at, _)| {
        let after = code[at + item.len()..].chars().next();
        let ends = after.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        ends && code[..at].ends_with(['.', ':'])
    })
}

fn is_exempt(item: &Item) -> bool {
    let owner = item.owner.as_deref().unwrap_or_default();
    EXEMPT.iter().any(|(file, exempt)| {
        let same = match exempt.strip_suffix("::") {
            Some(of) => of == owner,
            None => item.owner.is_none() && *exempt == item.name,
        };
        same && *file == item.file
    })
}

fn items_of(crate_folder: &str) -> Vec<Item> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let items = items(&root.join(crate_folder));
    assert!(items.len() > 80, "{crate_folder}: {} items", items.len());
    items
}

fn assert_none<'a>(without: impl Iterator<Item = &'a Item>) {
    let without: Vec<String> = without
        .map(|item| format!("{}: {}", item.place, item.name))
        .collect();
    assert!(without.is_empty(), "without an example: {without:#?}");
}

/// Each has its own; the example of a type may show its methods and constants.
#[test]
fn items_of_the_runtime_have_examples() {
    let items = items_of("lagrange-runtime/src");
    let mut types: HashMap<&str, String> = HashMap::new();
    for item in items.iter().filter(|item| item.owner.is_none()) {
        types.entry(&item.name).or_default().push_str(&item.example);
    }
    let is_shown = |item: &Item| {
        let of_type = item.owner.as_deref().and_then(|owner| types.get(owner));
        !item.example.is_empty() || of_type.is_some_and(|code| names(code, &item.name))
    };
    assert_none(
        items
            .iter()
            .filter(|item| !is_shown(item) && !is_exempt(item)),
    );
}

#[test]
fn main_types_of_the_engine_have_examples() {
    let items = items_of("lagrange-engine/src");
    let types = items.iter().filter(|item| item.owner.is_none());
    let main: Vec<&Item> = types
        .filter(|item| MAIN.contains(&item.name.as_str()))
        .collect();
    assert_eq!(main.len(), MAIN.len());
    assert_none(main.into_iter().filter(|item| item.example.is_empty()));
}
