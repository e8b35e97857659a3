//! Routines without values that no step reads.

use super::{Array, Condition, Floor, Pivots, Routine, Step, View};

impl Routine {
    /// The same without unread values in local arrays, and without unused arrays.
    #[must_use]
    pub(in crate::codegen) fn without_unread(mut self) -> Self {
        let is_read = self.named(|step| match step {
            Step::Library { results, .. } => [step.reads(), results.clone()].concat(),
            _ => step.reads(),
        });
        drop_unread(&mut self.steps, &is_read);
        let is_named = self.named(|step| [step.reads(), step.writes()].concat());
        for (length, is_named) in self.locals.iter_mut().zip(is_named) {
            if !is_named {
                *length = 0;
            }
        }
        self
    }

    /// Returns whether each local array is among the views of a step.
    fn named(&self, views: impl Fn(&Step) -> Vec<View>) -> Vec<bool> {
        let mut named = vec![false; self.locals.len()];
        self.for_each_step(&mut |step| {
            for view in views(step) {
                if let Array::Local(at) = view.array {
                    named[at] = true;
                }
            }
        });
        named
    }
}

impl Step {
    /// The views that the step itself reads, without those that the steps within it read.
    ///
    /// ```
    /// use lagrange_engine::{Array, Step, View};
    /// let status = View::whole(Array::Local(0), 1);
    /// assert_eq!(Step::Fail(status).reads(), [status]);
    /// ```
    pub fn reads(&self) -> Vec<View> {
        match self {
            Self::Compute(compute) => {
                let sums = compute.writes.iter().filter(|write| write.adds);
                let flags = compute.writes.iter().filter_map(|write| write.flag);
                let reads = compute.reads.iter().map(|(_, view)| *view);
                reads
                    .chain(sums.map(|write| write.to))
                    .chain(flags)
                    .collect()
            }
            Self::Call { arguments, .. }
            | Self::Kernel { arguments, .. }
            | Self::Library { arguments, .. } => arguments.clone(),
            Self::Copy { from, .. } => vec![*from],
            Self::Fill { .. }
            | Self::Identity { .. }
            | Self::ForEachRow { .. }
            | Self::Apart { .. }
            | Self::Loop { .. }
            | Self::Break
            | Self::Return => Vec::new(),
            Self::Fail(status) => vec![*status],
            Self::Add { from, to, by, .. } => [*from, *to].into_iter().chain(*by).collect(),
            Self::Multiply { left, right, to } => vec![*left, *right, *to],
            Self::If { condition, .. } => condition.views(),
            Self::RequireFinite(views) => views.clone(),
        }
    }

    /// The views that the step itself writes, without those that the steps within it write.
    ///
    /// ```
    /// use lagrange_engine::{Array, Step, View};
    /// let to = View::whole(Array::Local(0), 2);
    /// assert_eq!(Step::Fill { to, value: 0.0 }.writes(), [to]);
    /// ```
    pub fn writes(&self) -> Vec<View> {
        match self {
            Self::Compute(compute) => compute.writes.iter().map(|write| write.to).collect(),
            Self::Call { results, .. }
            | Self::Kernel { results, .. }
            | Self::Library { results, .. } => results.clone(),
            Self::Copy { to, .. }
            | Self::Fill { to, .. }
            | Self::Identity { to }
            | Self::Add { to, .. }
            | Self::Multiply { to, .. } => vec![*to],
            Self::ForEachRow { unit, .. } => vec![*unit],
            Self::If { .. }
            | Self::Loop { .. }
            | Self::Apart { .. }
            | Self::Break
            | Self::Fail(_)
            | Self::RequireFinite(_)
            | Self::Return => Vec::new(),
        }
    }
}

fn drop_unread(steps: &mut Vec<Step>, is_read: &[bool]) {
    let is_unread = |view: &View| matches!(view.array, Array::Local(at) if !is_read[at]);
    steps.retain_mut(|step| match step {
        Step::Copy { to, .. } | Step::Fill { to, .. } | Step::Identity { to } => !is_unread(to),
        Step::Compute(compute) => {
            let writes = &mut compute.writes;
            writes.retain(|write| !is_unread(&write.to) && !write.values.is_empty());
            true
        }
        Step::ForEachRow { steps, .. }
        | Step::Apart { steps, .. }
        | Step::Library { steps, .. }
        | Step::Loop { steps, .. }
        | Step::If { then: steps, .. } => {
            drop_unread(steps, is_read);
            true
        }
        _ => true,
    });
}

impl Condition {
    /// The views that it reads.
    fn views(&self) -> Vec<View> {
        match self {
            Self::Library { arguments, .. } => arguments.clone(),
            Self::Pivots { pivots, floor, .. } => {
                let Pivots {
                    entries,
                    reduced,
                    diagonal,
                } = *pivots;
                let summands = floor.iter().flat_map(|Floor { sum, .. }| sum.views());
                [entries, reduced, diagonal]
                    .into_iter()
                    .chain(summands)
                    .collect()
            }
            Self::AtMost(sum, _) | Self::ZeroOrAtLeast(sum, _) | Self::FiniteSum(sum) => {
                sum.views().collect()
            }
            Self::Regular {
                pivots, diagonal, ..
            } => vec![*pivots, *diagonal],
            Self::Finite(views) => views.clone(),
            Self::All(all) => all.iter().flat_map(Self::views).collect(),
            Self::Not(condition) => condition.views(),
            Self::Within { values, limits, .. } => vec![*values, *limits],
            Self::Below { left, right, .. } => vec![*left, *right],
            Self::Equal(a, b) => vec![*a, *b],
            Self::Is(scalar, _) => vec![*scalar],
        }
    }
}
