//! Names in C: letters, digits and underscores, but no word of C or C++.

use std::sync::LazyLock;

use crate::backend::declaration::Declaration;
use crate::backend::names::Names;
use crate::backend::{Words, ascii, distinct, free, words};
use crate::codegen::Routine;

/// The names of a system beside these functions. `reserved` has further words that no field is called by.
pub(in crate::backend) fn names(
    declaration: &Declaration,
    functions: &[String],
    reserved: &[&str],
) -> Names {
    let system = free(word(&snake_case(&declaration.name)), is_of_library);
    let upper = system.to_uppercase();
    let own_macros = format!("{upper}_");
    let is_of_text = |name: &str| {
        name.strip_prefix(&own_macros)
            .is_some_and(|name| MACROS.contains(&name))
    };
    let functions = distinct(functions, |name| {
        free(word(name), |name| {
            let whole = format!("{system}_{name}");
            is_reserved(&whole) || is_of_text(&whole)
        })
    });
    let texts = (system, format!("{upper}_REAL"), "self->");
    Names::new(declaration, texts, functions, word, |name| {
        reserved.contains(&name) || is_of_text(name)
    })
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

/// A name for C: characters beyond ASCII become their number, and words of C and C++ get an underscore, so do macros and
/// names that begin like those of the compiler.
fn word(name: &str) -> String {
    free(ascii(name), is_reserved)
}

/// Returns whether a name is a word of C or C++, or may be a macro. None ends in one underscore, or in three.
pub(in crate::backend) fn is_reserved(name: &str) -> bool {
    let is_of_compiler = name
        .strip_prefix('_')
        .is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase()));
    let is_plain = !name.ends_with('_');
    let may_end = is_plain || (name.ends_with("__") && !name.ends_with("___"));
    (is_of_compiler && may_end) || (is_plain && (KEYWORDS.contains(name) || is_macro(name)))
}

/// Returns whether math.h, a header that it brings, or the compiler may define this macro.
fn is_macro(name: &str) -> bool {
    let beginnings = ["FP_", "HUGE_VAL", "MATH_", "SNAN"];
    let is_class = name
        .strip_prefix("is")
        .is_some_and(|class| is_in(&CLASSES, class));
    let constant = name.strip_prefix("M_").map(without_type);
    is_class
        || constant.is_some_and(is_constant)
        || beginnings
            .iter()
            .any(|beginning| name.starts_with(beginning))
        || MACROS_OF_OTHERS.contains(name)
}

/// Returns whether `M_` and this may be a constant of math.h, which compilers define beyond the standard.
fn is_constant(name: &str) -> bool {
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let parts = ["PI", "SQRT", "LN", "LOG"];
    let is_known = ["E", "PHI", "EGAMMA"].contains(&name);
    name.chars().all(is_upper) && (is_known || parts.iter().any(|part| name.contains(part)))
}

/// Returns whether a header that math.h brings, in C++ stdlib.h too, or a device may have a function or type of this name:
/// a type of the text would be another one, and a variable would hide the function. None ends in an underscore.
pub(in crate::backend) fn is_of_library(name: &str) -> bool {
    let function = name.strip_suffix("_r").unwrap_or(name);
    let mut operators = ["f32x", "f64x", "f32", "f64", "f", "d"]
        .iter()
        .filter_map(|result| name.strip_prefix(result));
    let is_narrow = operators.any(|operator| is_in(&NARROWED, operator));
    let vector = name.strip_suffix(['1', '2', '3', '4']);
    let begins = ["pthread_", "strto", "strfrom"]
        .iter()
        .any(|beginning| name.starts_with(beginning));
    let is_known = is_in(&FUNCTIONS, function) || OTHERS.contains(function);
    !name.ends_with('_') && (is_known || is_narrow || begins || vector.is_some_and(is_number))
}

/// Returns whether CUDA has vectors of this type.
fn is_number(ty: &str) -> bool {
    let signed = ty.strip_prefix('u').unwrap_or(ty);
    [
        "char", "short", "int", "long", "longlong", "float", "double",
    ]
    .contains(&signed)
}

/// Returns whether the words have a name, with or without the suffix of a type.
fn is_in(words: &Words, name: &str) -> bool {
    words.contains(name) || words.contains(without_type(name))
}

/// A name without the suffix of a type of numbers.
fn without_type(name: &str) -> &str {
    [
        "bf16", "f32x", "f64x", "f128", "f16", "f32", "f64", "f", "l",
    ]
    .iter()
    .find_map(|suffix| name.strip_suffix(suffix))
    .unwrap_or(name)
}

/// The names of the results of a routine: words of C that neither an argument, a local variable nor another result has.
pub(in crate::backend) fn results(routine: &Routine) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in &routine.results {
        let is_argument = |name: &str| routine.arguments.iter().any(|other| other.name == name);
        let name = free(word(&result.name), |name| {
            is_local(name) || is_argument(name) || names.iter().any(|other| other == name)
        });
        names.push(name);
    }
    names
}

/// Returns whether a function may have a variable of this name: an array, a temporary or an index, in a kernel also what it
/// knows of its thread, and the arrays of its state.
fn is_local(name: &str) -> bool {
    let plain = name.strip_suffix("_unused").unwrap_or(name);
    let is_numbered = ["x", "t", "result"].iter().any(|letters| {
        plain.strip_prefix(letters).is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
        })
    });
    let is_of_state = name.starts_with("state_") && !name.ends_with('_');
    is_numbered || is_of_state || LOCALS.contains(name) || is_of_library(name)
}

/// The variables of functions and kernels.
static LOCALS: Words = LazyLock::new(|| {
    words(
        "S batch blockDim blockIdx error gridDim i is_small j k pass self status step steps stride threadIdx",
    )
});

/// The functions of math.h for `double`, and those of devices. Each has variants with the suffix of a type.
static FUNCTIONS: Words = LazyLock::new(|| {
    words(
        "acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi canonicalize cbrt ceil compoundn copysign
        cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 drem erf erfc erfcinv erfcx erfinv exp exp10 exp10m1 exp2
        exp2m1 expm1 fabs fdim finite floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num
        fmaxmag fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod frexp fromfp fromfpx
        gamma getpayload hypot ilogb j0 j1 jn ldexp lerp lgamma llogb llrint llround log log10 log10p1 log1p
        log2 log2p1 logb logp1 lrint lround modf nan nearbyint nextafter nextdown nexttoward nextup norm
        norm3d norm4d normcdf normcdfinv pow pown powr rcbrt remainder remquo rhypot rint rnorm rnorm3d
        rnorm4d rootn round roundeven rsqrt scalb scalbln scalbn setpayload setpayloadsig significand sin
        sincos sincospi sinh sinpi sqrt tan tanh tanpi tgamma totalorder totalordermag trunc ufromfp ufromfpx
        y0 y1 yn",
    )
});

/// Functions with a result of another type than their arguments, between the names of both.
static NARROWED: Words = LazyLock::new(|| words("add sub mul div sqrt fma"));

/// The rest of the names of classifying macros, after `is`.
static CLASSES: Words = LazyLock::new(|| {
    words(
        "canonical eqsig finite greater greaterequal inf less lessequal lessgreater nan normal signaling subnormal
        unordered zero",
    )
});

/// Other functions and types that math.h brings, in C++ with stdlib.h.
static OTHERS: Words = LazyLock::new(|| {
    words(
        "a64l abort abs aligned_alloc alloca arc4random arc4random_buf arc4random_uniform at_quick_exit atexit atof
        atoi atol atoll blkcnt64_t blkcnt_t blksize_t bsearch caddr_t calloc canonicalize_file_name clearenv clock
        clock64 clock_t clockid_t comparison_fn_t daddr_t daemon dev_t dim3 div div_t double_t drand48 drand48_data
        ecvt erand48 exit fcvt fd_mask fd_set float_t free fsblkcnt64_t fsblkcnt_t fsfilcnt64_t fsfilcnt_t fsid_t gcvt
        getenv getloadavg getpt getsubopt gid_t grantpt heapsort id_t initstate ino64_t ino_t int16_t int32_t int64_t
        int8_t jrand48 key_t l64a labs lcong48 ldiv ldiv_t llabs lldiv lldiv_t locale_t loff_t lrand48 malloc max
        mblen mbstowcs mbtowc mergesort min mkdtemp mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64
        mkstemps mkstemps64 mktemp mode_t mrand48 nlink_t nrand48 off64_t off_t on_exit pid_t posix_memalign
        posix_openpt pselect psort ptsname putenv qecvt qfcvt qgcvt qsort quad_t quick_exit radixsort rand random
        random_data realloc reallocarray reallocf realpath register_t rpmatch rusage secure_getenv seed48 select
        setenv setstate sigevent signal signgam sigset_t sigval size_t srand srand48 srandom ssize_t std suseconds_t
        system time_t timer_t timespec timeval u_char u_int u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t
        u_short uid_t uint ulong unlockpt unsetenv useconds_t ushort valloc wait waitpid wcstombs wctomb",
    )
});

/// Macros of no common form, in headers that math.h brings and in compilers.
static MACROS_OF_OTHERS: Words = LazyLock::new(|| {
    words(
        "BIG_ENDIAN BYTE_ORDER DEC_INFINITY DEC_NAN DOMAIN EXIT_FAILURE EXIT_SUCCESS FD_SETSIZE HUGE INFINITY
        LITTLE_ENDIAN MAXFLOAT MB_CUR_MAX NAN NFDBITS NULL OVERFLOW PDP_ENDIAN PLOSS RAND_MAX SING TLOSS
        UNDERFLOW WCONTINUED WEXITED WNOHANG WNOWAIT WSTOPPED WUNTRACED X_TLOSS fpclassify hpux i386 linux
        m68k math_errhandling mips signbit sparc sun unix vax",
    )
});

/// The keywords of C and C++.
static KEYWORDS: Words = LazyLock::new(|| {
    words(
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
        compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield
        decltype default delete do double dynamic_cast else enum explicit export extern false float for friend
        goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
        protected public register reinterpret_cast requires restrict return short signed sizeof static
        static_assert static_cast struct switch template this thread_local throw true try typedef typeid
        typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq",
    )
});

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
