//! Names in WGSL: letters, digits and underscores, but no word of the language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::Shape;
use crate::backend::c99::Declaration;
use crate::backend::{Words, ascii, distinct, free, words};
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
    /// The routines that have entry points, each with the name of its function after that of the system.
    entries: BTreeMap<String, String>,
}

impl Names {
    /// The names of a system beside these functions.
    pub(super) fn new(declaration: &Declaration, system: String, functions: &[String]) -> Self {
        let mut parameters: Vec<String> = Vec::new();
        let mut reads = Vec::new();
        for parameter in &declaration.parameters {
            let name = free(word(&parameter.name), |name| {
                parameters.iter().any(|other| other == name)
            });
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
        let entries = distinct(functions, word);
        let own = free("helper_".to_owned(), |own| {
            entries.values().any(|name| name.starts_with(own))
        });
        let system = free(word(&system), |name| PREDECLARED.contains(name));
        Self {
            helper: format!("{system}_{own}"),
            system,
            parameters,
            reads,
            entries,
        }
    }

    /// The function of a routine. One that is called like an entry point gets an underscore.
    pub(super) fn function(&self, routine: &str) -> String {
        if let Some(name) = routine.strip_prefix("private ") {
            return format!("{}{name}", self.helper);
        }
        let name = self.after_system(routine);
        let is_entry = |name: &str| self.entries.values().any(|other| other == name);
        let is_called_like_one = name.strip_suffix("_batch").is_some_and(is_entry);
        let end = if is_called_like_one { "_" } else { "" };
        format!("{}_{name}{end}", self.system)
    }

    /// The name of the function of a routine after that of the system.
    pub(super) fn after_system(&self, routine: &str) -> String {
        let known = self.entries.get(routine);
        known.map_or_else(|| word(routine), String::clone)
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
        let name = format!("{}_", word(&result.name).trim_end_matches('_'));
        let name = free(name, |name| names.iter().any(|other| other == name));
        names.push(name);
    }
    names
}

/// A name for WGSL: characters beyond ASCII become their number, words of the language get an underscore.
pub(super) fn word(name: &str) -> String {
    let mut word = ascii(name);
    if WORDS.contains(word.as_str()) || word == "_" || word.starts_with("__") {
        word = format!(
            "{}_",
            word.replacen("__", "u__", usize::from(word.starts_with("__")))
        );
    }
    word
}

/// Types and functions of the language, which a struct of the same name would hide.
static PREDECLARED: Words = LazyLock::new(|| {
    words(
        "abs acos acosh all any array asin asinh atan atan2 atanh atomic bitcast bool ceil clamp cos cosh cross degrees
        determinant distance dot exp exp2 f16 f32 floor fma fract frexp i32 ldexp length log log2 mat2x2
        mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 max min mix modf normalize pow ptr radians
        reflect refract round sampler saturate select sign sin sinh smoothstep sqrt step tan tanh transpose
        trunc u32 vec2 vec3 vec4 vec2f vec3f vec4f",
    )
});

/// The keywords and reserved words of WGSL.
static WORDS: Words = LazyLock::new(|| {
    words(
        "alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if
        let loop override requires return struct switch true var while NULL Self abstract active alignas
        alignof as asm asm_fragment async attribute auto await become cast catch class co_await co_return
        co_yield coherent column_major common compile compile_fragment concept const_cast consteval constexpr
        constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export
        extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared
        highp impl implements import inline instanceof interface layout lowp macro macro_rules match mediump
        meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent
        noncoherent noperspective null nullptr of operator package packoffset pass patch pixelfragment precise
        precision premerge priv protected pub public readonly ref regardless register reinterpret_cast require
        resource restrict self set shared sizeof smooth snorm static static_assert static_cast std subroutine
        super target template this thread_local throw trait try type typedef typeid typename typeof union
        unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield",
    )
});
