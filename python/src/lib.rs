//! The half of the Python package `lagrangian` that is Rust: models, values and motions, with numpy's arrays as numbers.
//! The half in Python, `lagrangian/__init__.py`, makes a class of each model.

#![deny(unsafe_code)]

mod errors;
mod model;
mod numbers;
mod simulation;
mod system;

use pyo3::prelude::*;

#[pymodule]
fn _lagrangian(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::Model>()?;
    module.add_class::<system::System>()?;
    module.add_function(wrap_pyfunction!(model::read_file, module)?)
}
