//! Numbers from Python, and arrays for Python.

use numpy::ndarray::{Array, IxDyn};
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyTuple};

/// The entries of an array in the order of C, and its dimensions.
pub(crate) struct Entries {
    pub(crate) values: Vec<f64>,
    pub(crate) shape: Vec<usize>,
}

impl Entries {
    /// The entries of an array, a sequence or a number. `name` is for the errors.
    pub(crate) fn read(name: &str, object: &Bound<PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.cast_exact::<PyFloat>() {
            return Ok(Self {
                values: vec![number.extract()?],
                shape: vec![],
            });
        }
        let read = if let Ok(list) = object.cast_exact::<PyList>() {
            Self::of_numbers(list.iter())
        } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
            Self::of_numbers(tuple.iter())
        } else {
            Self::of_array(object)
        };
        if let Some(entries) = read {
            return Ok(entries);
        }
        let array = converted(name, object)?;
        Self::of_array(&array)
            .ok_or_else(|| PyTypeError::new_err(format!("`{name}`: expected an array of numbers")))
    }

    /// The entries of a sequence of nothing but floats and integers, faster than numpy reads it.
    fn of_numbers<'py>(items: impl Iterator<Item = Bound<'py, PyAny>>) -> Option<Self> {
        let values = items.map(|item| {
            let is_number =
                item.is_exact_instance_of::<PyFloat>() || item.is_exact_instance_of::<PyInt>();
            is_number.then(|| item.extract().ok()).flatten()
        });
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        let shape = vec![values.len()];
        Some(Self { values, shape })
    }

    /// The entries of an array of floats in the order of C.
    fn of_array(array: &Bound<PyAny>) -> Option<Self> {
        let array = array.cast::<PyArrayDyn<f64>>().ok()?;
        if !array.is_c_contiguous() || !array.data().is_aligned() {
            return None;
        }
        Some(Self {
            values: array.to_vec().ok()?,
            shape: array.shape().to_vec(),
        })
    }
}

/// An array of floats in the order of C.
fn converted<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let array = ASARRAY.import(py, "numpy", "asarray")?.call1((object,));
    let array = array.map_err(|error| {
        // Sequences of different lengths.
        match error.is_instance_of::<PyValueError>(py) {
            true => PyValueError::new_err(format!("`{name}`: {}", error.value(py))),
            false => error,
        }
    })?;
    let kind = array.getattr("dtype")?;
    match kind.getattr("kind")?.extract::<String>()?.as_str() {
        "b" | "i" | "u" | "f" => {
            // A copy: it has neither gaps nor the bytes of another machine.
            let options = PyDict::new(py);
            options.set_item("order", "C")?;
            ARRAY
                .import(py, "numpy", "array")?
                .call((array, "float64"), Some(&options))
        }
        _ => Err(PyTypeError::new_err(format!(
            "`{name}`: expected real numbers, found {}",
            kind.str()?
        ))),
    }
}

/// The values of one argument of a method, for one state or for many.
pub(crate) struct ReadArgument {
    pub(crate) values: Vec<f64>,
    /// The number of states; `None` for one value that holds for all.
    pub(crate) states: Option<usize>,
}

impl ReadArgument {
    /// Reads vectors of a length, `(length,)` or `(batch, length)`.
    pub(crate) fn vectors(name: &str, length: usize, object: &Bound<PyAny>) -> PyResult<Self> {
        let Entries { values, shape } = Entries::read(name, object)?;
        let states = match shape[..] {
            [] if length == 1 => None,
            [row_length] if row_length == length => None,
            [states, row_length] if row_length == length => Some(states),
            _ => {
                let hint = match shape[..] {
                    [_] if length == 1 => format!("; `{name}[:, None]` is a batch"),
                    _ => String::new(),
                };
                return Err(PyValueError::new_err(format!(
                    "`{name}` has the shape {}, expected ({length},) or (batch, {length}){hint}",
                    tuple(&shape)
                )));
            }
        };
        Ok(Self { values, states })
    }

    /// Reads a number for all states, or one for each state.
    pub(crate) fn numbers(name: &str, object: &Bound<PyAny>) -> PyResult<Self> {
        let Entries { values, shape } = Entries::read(name, object)?;
        let states = match shape[..] {
            [] => None,
            [states] => Some(states),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "`{name}` has the shape {}, expected a number or (batch,)",
                    tuple(&shape)
                )));
            }
        };
        Ok(Self { values, states })
    }

    /// Repeats the one value for all states.
    pub(crate) fn repeat(&mut self, count: usize) -> PyResult<()> {
        let length = self.values.len();
        let mut values = reserved(length.checked_mul(count))?;
        for _ in 0..count {
            values.extend_from_slice(&self.values);
        }
        self.values = values;
        Ok(())
    }
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => {
            let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", lengths.join(", "))
        }
    }
}

/// Memory for so many numbers.
pub(crate) fn reserved(count: Option<usize>) -> PyResult<Vec<f64>> {
    let mut values = Vec::new();
    count
        .and_then(|count| values.try_reserve_exact(count).ok())
        .ok_or_else(|| PyMemoryError::new_err("the results are larger than the memory"))?;
    Ok(values)
}

/// An array with these entries in the order of C.
pub(crate) fn array<'py>(
    py: Python<'py>,
    values: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let array = Array::from_shape_vec(IxDyn(shape), values)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(array.into_pyarray(py).into_any())
}
