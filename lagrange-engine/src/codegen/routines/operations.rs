//! The operations of a routine.

use std::collections::BTreeMap;

use super::system::Routines;
use crate::codegen::Routine;
use crate::codegen::routine::Step;

impl Routines<'_> {
    /// All operations of a routine on its common path: those of called routines, of products of matrices and of solutions
    /// by pivoting included. A sum of products counts as both.
    ///
    /// ```
    /// use lagrange_engine::{Dynamics, Routines, System};
    /// // T = v^2, so that p = 2 v.
    /// let text = "coordinates x\nnode %0 = velocity 0\nnode %1 = product %0^2\nkinetic %1\n";
    /// let dynamics = Dynamics::new(text.parse::<System>()?);
    /// let routines = Routines::new(&dynamics);
    /// assert_eq!(routines.operations(&routines.method("momenta").unwrap()), 1);
    /// # Ok::<(), lagrange_engine::ParseError>(())
    /// ```
    pub fn operations(&self, routine: &Routine) -> usize {
        self.of_steps(&routine.steps, &mut BTreeMap::new()).0
    }

    /// The operations, and whether a step on the way returns.
    fn of_steps(&self, steps: &[Step], known: &mut BTreeMap<String, usize>) -> (usize, bool) {
        let mut total = 0;
        for step in steps {
            let (count, returns) = match step {
                Step::Compute(compute) => (compute.schedule.operations().total() as usize, false),
                Step::Add { to, .. } => (to.len(), false),
                Step::Multiply { left, right, .. } => {
                    (2 * left.rows * left.columns * right.columns, false)
                }
                Step::Call { routine, .. } => (self.of_method(routine, known), false),
                Step::Apart { steps, .. } | Step::Library { steps, .. } => {
                    self.of_steps(steps, known)
                }
                Step::ForEachRow { rows, steps, .. } => {
                    (rows * self.of_steps(steps, known).0, false)
                }
                // The first solution is accepted.
                Step::If { then, .. } => self.of_steps(then, known),
                Step::Return => (0, true),
                Step::Kernel { arguments, .. } => {
                    let [mass, jacobian, right, ..] = &arguments[..] else {
                        continue;
                    };
                    let size = mass.rows + jacobian.rows;
                    (size.pow(3) / 3 + 2 * right.rows * size.pow(2), false)
                }
                _ => (0, false),
            };
            total += count;
            if returns {
                return (total, true);
            }
        }
        (total, false)
    }

    fn of_method(&self, name: &str, known: &mut BTreeMap<String, usize>) -> usize {
        if let Some(count) = known.get(name) {
            return *count;
        }
        let steps = self.method(name).map_or(Vec::new(), |method| method.steps);
        let count = self.of_steps(&steps, known).0;
        known.insert(name.to_owned(), count);
        count
    }
}
