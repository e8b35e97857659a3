//! Declarations at run time: messages and values beside those of the macro, wrong calls, and the program.

mod calls;
mod changes;
mod fmu;
mod laws;
mod messages;
mod motions;
mod program;
mod values;
