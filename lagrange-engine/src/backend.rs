//! Printers of routines as text in other languages. Each can print every routine; passes that only one language needs
//! are beside its printer.

pub mod c99;
pub mod cuda;
pub mod wgsl;
