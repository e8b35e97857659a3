//! Printers of routines as text in other languages. Each prints all that a routine may hold; passes that only one
//! language needs are with its printer.

pub mod c99;
pub mod cuda;
pub mod wgsl;
