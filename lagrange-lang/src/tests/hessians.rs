//! Second derivatives of accelerations that are too long to be written out: row by row.

use proc_macro2::TokenStream;

use super::items_of;
use super::workloads::spatial;
use crate::errors::Errors;
use crate::expand::{self, read};
use crate::host::Purpose;
use crate::{Declaration, Folder};

const LINKS: usize = 20;

fn chain() -> String {
    format!("#[lagrangian(hessian)] {}", spatial(LINKS))
}

#[test]
fn long_hessians_are_the_changes_of_the_gradient() {
    let tokens: TokenStream = chain().parse().unwrap();
    let Ok((declaration, _)) = Declaration::read(tokens, &Folder::None) else {
        panic!("no mistakes");
    };
    let parameters: Vec<f64> = declaration
        .parameters
        .iter()
        .flat_map(|parameter| vec![0.7; parameter.shape.len()])
        .collect();
    let numbers = |seed: f64| (0..LINKS).map(move |i| (i as f64 * 1.3 + seed).sin());
    let [q, v, u, w] = [0.2, 0.5, 0.7, 0.9].map(|seed| numbers(seed).collect::<Vec<f64>>());
    let size = 3 * LINKS;
    let mut hessian = vec![0.0; size * size];
    let tape = declaration.tape("acceleration_hessian").unwrap();
    let arguments: [&[f64]; 4] = [&q, &v, &u, &w];
    tape.evaluate(1, &parameters, &arguments, &mut [&mut hessian])
        .unwrap();
    let vjp = declaration.tape("vjp").unwrap();
    let gradient = |x: &[f64], h: f64| -> f64 {
        let moved = |from: &[f64], x: &[f64]| -> Vec<f64> {
            from.iter().zip(x).map(|(from, x)| from + h * x).collect()
        };
        let (q, v) = (moved(&q, x), moved(&v, &x[LINKS..]));
        let u = moved(&u, &x[2 * LINKS..]);
        let mut by = [const { [0.0; LINKS] }; 3];
        let [by_q, by_v, by_u] = &mut by;
        let results: &mut [&mut [f64]] = &mut [by_q, by_v, by_u];
        vjp.evaluate(1, &parameters, &[&q, &v, &u, &w], results)
            .unwrap();
        by.concat().iter().zip(x).map(|(g, x)| g * x).sum()
    };
    for seed in 0..3 {
        let x: Vec<f64> = (0..size)
            .map(|i| (i as f64 * 0.7 + f64::from(seed)).cos())
            .collect();
        let h = 1e-3;
        let difference = 8.0 * (gradient(&x, h) - gradient(&x, -h));
        let further = gradient(&x, 2.0 * h) - gradient(&x, -2.0 * h);
        let expected = (difference - further) / (12.0 * h);
        let mut largest = 0.0;
        for (i, row) in hessian.chunks(size).enumerate() {
            let product: f64 = row.iter().zip(&x).map(|(entry, x)| entry * x).sum();
            largest += x[i] * product;
        }
        let allowed = 1e-6 * expected.abs().max(1.0);
        assert!(
            (largest - expected).abs() <= allowed,
            "{largest} and {expected}"
        );
    }
}

#[test]
fn long_hessians_are_rust() {
    let mut errors = Errors::default();
    let (_, sound) = read(chain().parse().unwrap(), &mut errors).unwrap();
    let file = items_of(expand::items(sound, Errors::default(), Purpose::Code));
    assert!(!file.items.is_empty());
}
