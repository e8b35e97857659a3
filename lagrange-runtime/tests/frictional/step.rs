//! Moreau's step.
