//! Names in WGSL: letters, digits and underscores, but no word of the language.

use crate::Shape;
use crate::backend::c99::Declaration;
use crate::codegen::Routine;

/// The names of a system.
pub(super) struct Names {
    /// The type, and the prefix of the functions.
    pub(super) system: String,
    /// The beginning of the names of helpers and private functions, which no other function has.
    pub(super) helper: String,
    /// The fields.
    pub(super) parameters: Vec<String>,
    /// The expression for the parameter of each number.
    reads: Vec<String>,
}

impl Names {
    /// The names of a system beside these functions.
    pub(super) fn new(declaration: &Declaration, system: String, functions: &[String]) -> Self {
        let mut parameters: Vec<String> = Vec::new();
        let mut reads = Vec::new();
        for parameter in &declaration.parameters {
            let mut name = word(&parameter.name);
            while parameters.contains(&name) {
                name.push('_');
            }
            match parameter.shape {
                Shape::Scalar => reads.push(format!("system_.{name}")),
                Shape::Vector(length) => {
                    reads.extend((0..length).map(|i| format!("system_.{name}[{i}]")));
                }
                Shape::Matrix(rows, columns) => {
                    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
                    reads.extend(places.map(|(i, j)| format!("system_.{name}[{i}][{j}]")));
                }
            }
            parameters.push(name);
        }
        let mut own = "helper_".to_owned();
        while functions.iter().any(|name| word(name).starts_with(&own)) {
            own.push('_');
        }
        let system = word(&system);
        Self {
            helper: format!("{system}_{own}"),
            system,
            parameters,
            reads,
        }
    }

    /// The function of a routine.
    pub(super) fn function(&self, routine: &str) -> String {
        match routine.strip_prefix("private ") {
            Some(name) => format!("{}{name}", self.helper),
            None => format!("{}_{}", self.system, word(routine)),
        }
    }

    pub(super) fn parameter(&self, number: u32) -> &str {
        self.reads.get(number as usize).map_or("0.0f", |read| read)
    }
}

/// The names of the results of a routine, which no variable of its function has.
pub(super) fn results(routine: &Routine) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in &routine.results {
        // Variables end in no underscore.
        let mut name = format!("{}_", word(&result.name).trim_end_matches('_'));
        while names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// A name for WGSL: characters beyond ASCII become their number, words of the language get an underscore.
pub(super) fn word(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            word.push_str(&format!("u{:04X}", u32::from(c)));
        }
    }
    if WORDS.contains(&word.as_str()) || word == "_" || word.starts_with("__") {
        word = format!(
            "{}_",
            word.replacen("__", "u__", usize::from(word.starts_with("__")))
        );
    }
    word
}

/// The keywords and reserved words of WGSL.
const WORDS: [&str; 171] = [
    "alias",
    "break",
    "case",
    "const",
    "const_assert",
    "continue",
    "continuing",
    "default",
    "diagnostic",
    "discard",
    "else",
    "enable",
    "false",
    "fn",
    "for",
    "if",
    "let",
    "loop",
    "override",
    "requires",
    "return",
    "struct",
    "switch",
    "true",
    "var",
    "while",
    "NULL",
    "Self",
    "abstract",
    "active",
    "alignas",
    "alignof",
    "as",
    "asm",
    "asm_fragment",
    "async",
    "attribute",
    "auto",
    "await",
    "become",
    "cast",
    "catch",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "coherent",
    "column_major",
    "common",
    "compile",
    "compile_fragment",
    "concept",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "crate",
    "debugger",
    "decltype",
    "delete",
    "demote",
    "demote_to_helper",
    "do",
    "dynamic_cast",
    "enum",
    "explicit",
    "export",
    "extends",
    "extern",
    "external",
    "fallthrough",
    "filter",
    "final",
    "finally",
    "friend",
    "from",
    "fxgroup",
    "get",
    "goto",
    "groupshared",
    "highp",
    "impl",
    "implements",
    "import",
    "inline",
    "instanceof",
    "interface",
    "layout",
    "lowp",
    "macro",
    "macro_rules",
    "match",
    "mediump",
    "meta",
    "mod",
    "module",
    "move",
    "mut",
    "mutable",
    "namespace",
    "new",
    "nil",
    "noexcept",
    "noinline",
    "nointerpolation",
    "non_coherent",
    "noncoherent",
    "noperspective",
    "null",
    "nullptr",
    "of",
    "operator",
    "package",
    "packoffset",
    "pass",
    "patch",
    "pixelfragment",
    "precise",
    "precision",
    "premerge",
    "priv",
    "protected",
    "pub",
    "public",
    "readonly",
    "ref",
    "regardless",
    "register",
    "reinterpret_cast",
    "require",
    "resource",
    "restrict",
    "self",
    "set",
    "shared",
    "sizeof",
    "smooth",
    "snorm",
    "static",
    "static_assert",
    "static_cast",
    "std",
    "subroutine",
    "super",
    "target",
    "template",
    "this",
    "thread_local",
    "throw",
    "trait",
    "try",
    "type",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unless",
    "unorm",
    "unsafe",
    "unsized",
    "use",
    "using",
    "varying",
    "virtual",
    "volatile",
    "wgsl",
    "where",
    "with",
    "writeonly",
    "yield",
];
