//! A cart with a pole as a Python class: arrays of numpy in, arrays of numpy out.

use lagrangian::nalgebra::SVector;
use lagrangian::{lagrangian, rk4_step};
use numpy::{AllowTypeChange, IntoPyArray, PyArray2, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods};
use pyo3::exceptions::{PyArithmeticError, PyValueError};
use pyo3::prelude::*;

lagrangian! {
    #[derive(Clone)]
    pub struct Equations { x, theta: coordinate, m_c, m_p, l, g: parameter, u: input }
    let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * g * bob.y;
    Q.x = u;
}

type Array<'py> = PyArrayLikeDyn<'py, f64, AllowTypeChange>;
type Found<'py> = Bound<'py, PyArrayDyn<f64>>;

/// The equations of motion for these parameters.
#[pyclass(frozen)]
struct CartPole(Equations);

/// The vectors in the last axis of an array, of which there may be one or a batch.
fn vectors<const N: usize>(name: &str, array: &Array) -> PyResult<Vec<SVector<f64, N>>> {
    let array = array.as_array();
    if array.ndim() > 2 || array.shape().last() != Some(&N) {
        let shape = array.shape();
        let message = format!("`{name}` has the shape {shape:?}, not ({N},) or (n, {N})");
        return Err(PyValueError::new_err(message));
    }
    let entries: Vec<f64> = array.iter().copied().collect();
    let vectors = entries.chunks_exact(N).map(SVector::from_column_slice);
    Ok(vectors.collect())
}

/// The states of a batch. An array with one vector holds for all.
struct Batch {
    q: Vec<SVector<f64, 2>>,
    v: Vec<SVector<f64, 2>>,
    u: Vec<SVector<f64, 1>>,
    count: usize,
    /// The shape of the results: that of one vector, or of a batch.
    shape: Vec<usize>,
}

impl Batch {
    fn new(q: &Array, v: &Array, u: &Array) -> PyResult<Self> {
        let is_batch = [q, v, u].iter().any(|array| array.as_array().ndim() == 2);
        let (q, v, u) = (vectors("q", q)?, vectors("v", v)?, vectors("u", u)?);
        let lengths = [q.len(), v.len(), u.len()];
        let count = lengths.into_iter().find(|length| *length != 1).unwrap_or(1);
        for (name, length) in [("q", q.len()), ("v", v.len()), ("u", u.len())] {
            if length != count && length != 1 {
                let message = format!("`{name}` has {length} states, another array has {count}");
                return Err(PyValueError::new_err(message));
            }
        }
        let shape = if is_batch { vec![count, 2] } else { vec![2] };
        Ok(Self {
            q,
            v,
            u,
            count,
            shape,
        })
    }

    fn states(&self) -> impl Iterator<Item = [&[f64]; 3]> {
        (0..self.count).map(move |i| {
            let [q, v] = [&self.q, &self.v].map(|all| all[i.min(all.len() - 1)].as_slice());
            [q, v, self.u[i.min(self.u.len() - 1)].as_slice()]
        })
    }

    fn array<'py>(&self, py: Python<'py>, entries: Vec<f64>) -> PyResult<Found<'py>> {
        entries.into_pyarray(py).reshape(self.shape.clone())
    }
}

/// The error of a state of a batch.
fn raised(number: usize, error: lagrangian::Error) -> PyErr {
    PyArithmeticError::new_err(format!("state {number}: {error}"))
}

fn state([q, v, u]: [&[f64]; 3]) -> (SVector<f64, 2>, SVector<f64, 2>, SVector<f64, 1>) {
    let [q, v] = [q, v].map(SVector::from_column_slice);
    (q, v, SVector::from_column_slice(u))
}

#[pymethods]
impl CartPole {
    #[new]
    #[pyo3(signature = (*, m_c, m_p, l, g = 9.81))]
    fn new(m_c: f64, m_p: f64, l: f64, g: f64) -> Self {
        Self(Equations { m_c, m_p, l, g })
    }

    /// The accelerations of a state, or of each state of a batch.
    fn acceleration<'py>(
        &self,
        py: Python<'py>,
        q: Array<'py>,
        v: Array<'py>,
        u: Array<'py>,
    ) -> PyResult<Found<'py>> {
        let batch = Batch::new(&q, &v, &u)?;
        let mut entries = Vec::new();
        for (i, (q, v, u)) in batch.states().map(state).enumerate() {
            let a = self.0.acceleration(&q, &v, &u);
            let a = a.map_err(|error| raised(i, error))?;
            entries.extend(a.iter());
        }
        batch.array(py, entries)
    }

    /// The states after a step of time h.
    fn rk4_step<'py>(
        &self,
        py: Python<'py>,
        q: Array<'py>,
        v: Array<'py>,
        u: Array<'py>,
        h: f64,
    ) -> PyResult<(Found<'py>, Found<'py>)> {
        let batch = Batch::new(&q, &v, &u)?;
        let (mut places, mut velocities) = (Vec::new(), Vec::new());
        for (i, (q, v, u)) in batch.states().map(state).enumerate() {
            let next = rk4_step(&self.0, 0.0, &q, &v, &u, h);
            let (q, v) = next.map_err(|error| raised(i, error))?;
            places.extend(q.iter());
            velocities.extend(v.iter());
        }
        Ok((batch.array(py, places)?, batch.array(py, velocities)?))
    }

    /// A and B at one state.
    #[allow(clippy::type_complexity)] // two matrices
    fn linearize<'py>(
        &self,
        py: Python<'py>,
        q: Array<'py>,
        v: Array<'py>,
        u: Array<'py>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let batch = Batch::new(&q, &v, &u)?;
        if batch.shape.len() != 1 {
            return Err(PyValueError::new_err("`linearize` takes one state"));
        }
        let (q, v, u) = state([
            batch.q[0].as_slice(),
            batch.v[0].as_slice(),
            batch.u[0].as_slice(),
        ]);
        let found = self.0.linearize(&q, &v, &u);
        let found = found.map_err(|error| raised(0, error))?;
        // The storage of the matrices is by columns.
        let matrix = |columns: &[f64], shape: [usize; 2]| {
            let transposed = columns
                .to_vec()
                .into_pyarray(py)
                .reshape([shape[1], shape[0]])?;
            transposed.transpose()
        };
        Ok((
            matrix(found.a.as_slice(), [4, 4])?,
            matrix(found.b.as_slice(), [4, 1])?,
        ))
    }
}

#[pymodule]
fn cart_pole(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CartPole>()
}
