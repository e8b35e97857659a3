//! mistake: `Default`; the macro implements it itself, exactly when every parameter has a default

use lagrangian::lagrangian;

lagrangian! {
    #[derive(Clone, Default, Debug)]
    struct Cart { x: coordinate, m: parameter = 1 }
    T = m * der(x)^2 / 2;
}

lagrangian! {
    #[cfg_attr(all(), derive(Clone, Default), allow(dead_code))]
    struct Wagon { x: coordinate, m: parameter = 1 }
    T = m * der(x)^2 / 2;
}

fn main() {
    let _ = Wagon::<f64>::default().clone();
    let _ = format!("{:?}", Cart::<f64>::default().clone());
}
