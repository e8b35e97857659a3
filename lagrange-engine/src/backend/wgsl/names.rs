//! Names in WGSL: letters, digits and underscores, but no word of the language.

use std::sync::LazyLock;

use crate::backend::c99::snake_case;
use crate::backend::declaration::Declaration;
use crate::backend::names::Names;
use crate::backend::{Words, ascii, distinct, free, words};
use crate::codegen::Routine;

/// The names of a system beside these functions.
pub(super) fn names(declaration: &Declaration, functions: &[String]) -> Names {
    let system = free(word(&snake_case(&declaration.name)), |name| {
        PREDECLARED.contains(name)
    });
    let texts = (system, "f32".to_owned(), "system_.");
    Names::new(declaration, texts, distinct(functions, word), word, |_| {
        false
    })
}

/// The function of a routine. One that is called like an entry point gets an underscore.
pub(super) fn function(names: &Names, routine: &str) -> String {
    let is_private = routine.starts_with("private ");
    let is_entry = !is_private && names.is_entry(&names.after_system(routine));
    names.function(routine) + if is_entry { "_" } else { "" }
}

/// The names of the results of a routine, which no variable of its function has.
pub(in crate::backend) fn results(routine: &Routine) -> Vec<String> {
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
pub(in crate::backend) fn word(name: &str) -> String {
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
