//! The functions around one of CasADi: its head, and those that describe its inputs and outputs.

use std::fmt::Write;

use crate::backend::printer::Printer;

/// The head of a function of CasADi.
pub(super) fn begin(printer: &mut Printer, name: &str) {
    let open = "(const double **arg, double **res, long long int *iw, double *w, int mem)\n{";
    let export = printer.named("MACRO_EXPORT");
    let _ = writeln!(printer.text, "{export} int {name}{open}");
}

/// The functions that describe the inputs and outputs of a function.
pub(super) fn interface(
    printer: &mut Printer,
    name: &str,
    inputs: (&[String], &[usize]),
    outputs: (&[String], &[usize]),
) {
    let export = printer.named("MACRO_EXPORT");
    let helper = printer.names.helper.clone();
    let text = &mut printer.text;
    for (side, (names, patterns)) in [("in", inputs), ("out", outputs)] {
        let count = names.len();
        let _ = write!(
            text,
            "{export} long long int {name}_n_{side}(void)\n{{\n    return {count};\n}}\n\n"
        );
        let words: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        choice(
            text,
            &format!("{export} const char *{name}_name_{side}"),
            &words,
        );
        let words: Vec<String> = patterns
            .iter()
            .map(|number| format!("{helper}pattern_{number}"))
            .collect();
        let function = format!("{export} const long long int *{name}_sparsity_{side}");
        choice(text, &function, &words);
    }
    let (ins, outs) = (inputs.0.len(), outputs.0.len());
    let _ = write!(
        text,
        "{export} int {name}_work(long long int *sz_arg, long long int *sz_res, long long int *sz_iw, long long int *sz_w)\n\
         {{\n    if (sz_arg) *sz_arg = {ins};\n    if (sz_res) *sz_res = {outs};\n    if (sz_iw) *sz_iw = 0;\n    \
         if (sz_w) *sz_w = 0;\n    return 0;\n}}\n\n"
    );
    for ending in ["incref", "decref"] {
        let _ = write!(text, "{export} void {name}_{ending}(void)\n{{\n}}\n\n");
    }
}

/// A function of a number that returns one of these, or 0.
fn choice(text: &mut String, function: &str, words: &[String]) {
    let _ = writeln!(text, "{function}(long long int i)\n{{\n    switch (i) {{");
    for (number, word) in words.iter().enumerate() {
        let _ = writeln!(text, "        case {number}: return {word};");
    }
    let _ = writeln!(text, "        default: return 0;\n    }}\n}}\n");
}
