//! The text under construction, in each of the languages.

use std::sync::Arc;

use super::names::Names;
use super::replaced;
use crate::Curve;
use crate::codegen::{ACCEPTED, Routine, Step};

/// The languages that the printer knows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    C99,
    /// C as static members of a template: sines and quotients are functions of their own there.
    Cuda,
    Wgsl,
}

/// The text under construction.
pub(super) struct Printer<'a> {
    pub(super) dialect: Dialect,
    pub(super) names: Names,
    pub(super) routines: &'a [Routine],
    pub(super) text: String,
    /// Whether sines are those of small angles, and the text notes large ones.
    pub(super) small_angles: bool,
    /// The number of variables of blocks so far.
    temporaries: usize,
    /// The curves that the text calls.
    pub(super) curves: Vec<Arc<Curve>>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(dialect: Dialect, names: Names, routines: &'a [Routine]) -> Self {
        Self {
            dialect,
            names,
            routines,
            text: String::new(),
            small_angles: false,
            temporaries: 0,
            curves: Vec::new(),
        }
    }

    pub(super) fn is_wgsl(&self) -> bool {
        self.dialect == Dialect::Wgsl
    }

    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The name of a further variable.
    pub(super) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("c{}", self.temporaries)
    }

    /// The text with `NAME_real`, `NAME_helper_`, `NAME` and `MACRO` replaced by the names of this system, and with
    /// `NAME_apart` by the mark of functions that a GPU shall call.
    pub(super) fn named(&self, text: &str) -> String {
        let upper = self.names.system.to_uppercase();
        let apart = match self.dialect {
            Dialect::Cuda => format!("{upper}_APART "),
            _ => String::new(),
        };
        replaced(
            text,
            &[
                ("NAME_apart ", &apart),
                ("NAME_real", &self.names.real),
                ("NAME_helper_", &self.names.helper),
                ("NAME", &self.names.system),
                ("MACRO", &upper),
            ],
        )
    }

    /// The text at the top with the names of this system. `NAME_laws` is the error of texts with the laws of contacts.
    pub(super) fn named_head(&self, text: &str) -> String {
        let law = match self.size_of_laws() {
            Some(_) => "   5  no forces of contacts meet their laws at this state\n",
            None => "",
        };
        self.named(&text.replace("NAME_laws", law))
    }

    /// The text of a helper with the names of this system, the largest sizes of its dense operations: n, n + c, the
    /// square of that, and c n, and the largest backward error, in eps, of an accepted solution. In WGSL no array is empty.
    pub(super) fn sized(&self, text: &str) -> String {
        let least = usize::from(self.is_wgsl());
        let (mut n, mut c, mut s) = (least, 0, least);
        for routine in self.routines {
            routine.for_each_step(&mut |step| {
                if let Step::Kernel {
                    kernel, arguments, ..
                } = step
                    && let Some((columns, rows)) = kernel.sizes(arguments)
                {
                    (n, c, s) = (n.max(columns), c.max(rows), s.max(columns + rows));
                }
            });
        }
        let (contacts, joints) = self.size_of_laws().unwrap_or_default();
        let sizes = [
            ("SIZE_P", contacts),
            ("SIZE_M", joints),
            ("SIZE_N", n.max(1)),
            ("SIZE_S", s),
            ("SIZE_K", s * s),
            ("SIZE_J", (c * n).max(1)),
            ("MOST_ERROR", ACCEPTED as usize),
        ];
        let text = sizes.iter().fold(text.to_owned(), |text, (name, size)| {
            text.replace(name, &size.to_string())
        });
        self.named(&text)
    }

    /// The numbers of contacts and dry joints, if the text has their laws.
    fn size_of_laws(&self) -> Option<(usize, usize)> {
        let mut size = None;
        for routine in self.routines {
            routine.for_each_step(&mut |step| {
                if let Step::Kernel {
                    kernel, arguments, ..
                } = step
                {
                    size = size.or(kernel.laws(arguments));
                }
            });
        }
        size
    }

    /// A constant in the precision of the text.
    pub(super) fn number(&self, value: f64) -> String {
        if self.is_wgsl() {
            let most = f64::from(f32::MAX);
            let value = value.clamp(-most, most) as f32;
            return match value < 0.0 {
                true => format!("(-{:?}f)", -value),
                false => format!("{:?}f", value.abs()),
            };
        }
        let real = format!("({})", self.names.real);
        match value {
            _ if value.is_nan() => format!("{real}NAN"),
            f64::INFINITY => format!("{real}INFINITY"),
            f64::NEG_INFINITY => format!("(-{real}INFINITY)"),
            _ if value.is_sign_negative() => format!("(-{real}{:?})", -value),
            _ => format!("{real}{value:?}"),
        }
    }
}
