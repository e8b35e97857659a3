//! All tests of the engine, a module for each subject.

mod common;
mod maps;
mod numeric;
mod random;
mod trees;

mod constraint_checks;
mod depth;
mod dynamics;
mod elimination;
mod frame_outputs;
mod identities;
mod inputs;
mod jumps;
mod mathml;
mod multibody;
mod numbers;
mod operations;
mod outputs;
mod probing;
mod properties;
mod regressors;
mod rotations;
mod shapes;
mod symmetries;
mod text;
mod textbook;
