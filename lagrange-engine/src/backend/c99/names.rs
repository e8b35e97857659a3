//! Names in C: letters, digits and underscores, but no word of C or C++.

use super::Declaration;
use crate::Shape;
use crate::codegen::Routine;

/// The names of a system.
#[derive(Clone)]
pub(in crate::backend) struct Names {
    /// The type, and the prefix of the functions.
    pub(in crate::backend) system: String,
    /// The beginning of the names of helpers and private functions, which no other function has.
    pub(in crate::backend) helper: String,
    /// The type of numbers.
    pub(in crate::backend) real: String,
    /// The fields.
    pub(in crate::backend) parameters: Vec<String>,
    /// The expression that reads the parameter of each number.
    reads: Vec<String>,
}

impl Names {
    /// The names of a system beside these functions. `reserved` has further words that no field is called by.
    pub(in crate::backend) fn new(
        declaration: &Declaration,
        functions: &[String],
        reserved: &[&str],
    ) -> Self {
        let mut system = word(&snake_case(&declaration.name));
        if LIBRARY.contains(&system.as_str()) {
            system.push('_');
        }
        let own_macros = format!("{}_", system.to_uppercase());
        let is_macro = |name: &str| {
            let own = name.strip_prefix(&own_macros);
            own.is_some_and(|name| MACROS.contains(&name))
        };
        let mut parameters: Vec<String> = Vec::new();
        let mut reads = Vec::new();
        for parameter in &declaration.parameters {
            let mut name = word(&parameter.name);
            let is_taken = |name: &String| {
                parameters.contains(name) || reserved.contains(&name.as_str()) || is_macro(name)
            };
            while is_taken(&name) {
                name.push('_');
            }
            match parameter.shape {
                Shape::Scalar => reads.push(format!("self->{name}")),
                Shape::Vector(length) => {
                    reads.extend((0..length).map(|i| format!("self->{name}[{i}]")));
                }
                Shape::Matrix(rows, columns) => {
                    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
                    reads.extend(places.map(|(i, j)| format!("self->{name}[{i}][{j}]")));
                }
            }
            parameters.push(name);
        }
        let mut own = "helper_".to_owned();
        while functions.iter().any(|name| word(name).starts_with(&own)) {
            own.push('_');
        }
        Self {
            helper: format!("{system}_{own}"),
            real: format!("{}_REAL", system.to_uppercase()),
            system,
            parameters,
            reads,
        }
    }

    /// The function of a routine.
    pub(in crate::backend) fn function(&self, routine: &str) -> String {
        match routine.strip_prefix("private ") {
            Some(name) => format!("{}{name}", self.helper),
            None => format!("{}_{}", self.system, word(routine)),
        }
    }

    pub(super) fn parameter(&self, number: u32) -> &str {
        self.reads.get(number as usize).map_or("0", |read| read)
    }
}

/// `cart_pole` for `CartPole`, `pr2_arm` for `PR2Arm`.
///
/// ```
/// use lagrange_engine::c99::snake_case;
/// assert_eq!(snake_case("CartPole"), "cart_pole");
/// assert_eq!(snake_case("PR2Arm"), "pr2_arm");
/// ```
pub fn snake_case(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut snake = String::new();
    for (i, c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(i + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|before| {
                let ends_word = after.is_some_and(|after| after.is_lowercase());
                before != '_' && (!before.is_uppercase() || ends_word)
            });
        if starts {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// A name for C: characters beyond ASCII become their number, words of C and C++ get an underscore.
pub(in crate::backend) fn word(name: &str) -> String {
    let mut word = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            word.push_str(&format!("u{:04X}", u32::from(c)));
        }
    }
    if WORDS.contains(&word.as_str()) || is_constant(&word) {
        word.push('_');
    }
    word
}

/// Returns whether math.h may define this constant, with or without the suffix of a type.
fn is_constant(name: &str) -> bool {
    let types = ["f32x", "f64x", "f128", "f32", "f64", "f", "l"];
    let base = types.iter().find_map(|suffix| name.strip_suffix(suffix));
    CONSTANTS.contains(&name) || base.is_some_and(|base| CONSTANTS.contains(&base))
}

/// The names of the results of a routine: words of C that neither an argument, a local variable nor another result has.
pub(in crate::backend) fn results(routine: &Routine) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in &routine.results {
        let mut name = word(&result.name);
        let is_argument = |name: &str| routine.arguments.iter().any(|other| other.name == name);
        while is_local(&name) || is_argument(&name) || names.contains(&name) {
            name.push('_');
        }
        names.push(name);
    }
    names
}

/// Returns whether a function may have a variable of this name: an array, a temporary or an index.
fn is_local(name: &str) -> bool {
    let is_numbered = name.strip_prefix(['x', 't']).is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    let others = [
        "i", "j", "k", "pass", "status", "is_small", "self", "steps", "batch", "S",
    ];
    is_numbered || others.contains(&name) || LIBRARY.contains(&name)
}

/// Functions of the libraries that math.h brings, in C++ with stdlib.h: a type of such a name would be another one, and a
/// variable would hide the function.
const LIBRARY: [&str; 91] = [
    "abort",
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "atexit",
    "atof",
    "atoi",
    "atol",
    "bsearch",
    "calloc",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "div",
    "drem",
    "erf",
    "erfc",
    "exit",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "free",
    "frexp",
    "gamma",
    "getenv",
    "hypot",
    "ilogb",
    "j0",
    "j1",
    "jn",
    "labs",
    "ldexp",
    "ldiv",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "malloc",
    "mblen",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "pow",
    "qsort",
    "rand",
    "random",
    "realloc",
    "remainder",
    "remquo",
    "rint",
    "round",
    "scalb",
    "scalbn",
    "select",
    "signgam",
    "significand",
    "sin",
    "sinh",
    "sqrt",
    "srand",
    "std",
    "strtod",
    "strtol",
    "system",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
];

/// The macros of a text, after the name of the system.
const MACROS: [&str; 9] = [
    "REAL",
    "TYPES",
    "DECLARATIONS",
    "CUDA",
    "DEVICE_MATH",
    "APART",
    "ROLLED",
    "F1",
    "F2",
];

/// The constants of math.h, which compilers define beyond the standard.
const CONSTANTS: [&str; 13] = [
    "M_E",
    "M_LOG2E",
    "M_LOG10E",
    "M_LN2",
    "M_LN10",
    "M_PI",
    "M_PI_2",
    "M_PI_4",
    "M_1_PI",
    "M_2_PI",
    "M_2_SQRTPI",
    "M_SQRT2",
    "M_SQRT1_2",
];

/// The keywords of C and C++, the macros of math.h, and those of GNU compilers.
const WORDS: [&str; 154] = [
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char8_t",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALL",
    "INFINITY",
    "NAN",
    "FP_INFINITE",
    "FP_NAN",
    "FP_NORMAL",
    "FP_SUBNORMAL",
    "FP_ZERO",
    "FP_FAST_FMA",
    "FP_FAST_FMAF",
    "FP_FAST_FMAL",
    "FP_ILOGB0",
    "FP_ILOGBNAN",
    "MATH_ERRNO",
    "MATH_ERREXCEPT",
    "math_errhandling",
    "fpclassify",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "signbit",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
    "NULL",
    "MAXFLOAT",
    "SNAN",
    "SNANF",
    "SNANL",
    "FP_INT_DOWNWARD",
    "FP_INT_TONEAREST",
    "FP_INT_TONEARESTFROMZERO",
    "FP_INT_TOWARDZERO",
    "FP_INT_UPWARD",
    "FP_LLOGB0",
    "FP_LLOGBNAN",
    "iscanonical",
    "iseqsig",
    "issignaling",
    "issubnormal",
    "iszero",
    "linux",
    "unix",
];
