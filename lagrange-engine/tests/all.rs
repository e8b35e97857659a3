//! All tests of the engine, a module for each subject.

// What the files of the library that are a part of this one find at their root.
use lagrange_engine::Complex;

mod cases;
mod common;
mod maps;
mod numeric;
mod random;
mod trees;

mod bounds;
mod columns;
mod complex;
mod cones;
mod constraint_checks;
mod depth;
mod dynamics;
mod elimination;
mod field;
mod flat_constraints;
mod frame_outputs;
mod identities;
mod inputs;
mod jumping;
mod jumps;
mod kinematics;
mod mathml;
mod multibody;
mod numbers;
mod operations;
mod outputs;
mod probing;
mod programs;
mod properties;
mod regressors;
mod rotations;
mod schedules;
mod shapes;
mod symmetries;
mod text;
mod textbook;
mod zeros;
