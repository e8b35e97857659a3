//! The list of methods beside the routines of the engine: arguments, results, and whether they can fail.

use std::fs;
use std::path::Path;

use lagrange_engine::{Argument, Shape};

use crate::declaration::Declaration;
use crate::files::Folder;

#[test]
fn listed_methods_are_those_of_the_engine() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes.txt");
    let file = fs::read_to_string(path).unwrap();
    let systems = file.split("\n== ").skip(1);
    let mut methods = 0;
    for text in systems
        .filter_map(|system| system.split_once('\n'))
        .map(|(_, text)| text)
    {
        let read = Declaration::read(text.parse().unwrap(), &Folder::Package);
        let Ok((declaration, _)) = read else {
            panic!("{text}");
        };
        for method in &declaration.methods {
            let Some(tape) = declaration.tape(&method.name) else {
                panic!("no routine of {}: {text}", method.name);
            };
            let arguments: Vec<&Argument> = tape
                .arguments()
                .iter()
                .filter(|argument| argument.length > 0)
                .collect();
            let listed: Vec<&Argument> = method.arguments.iter().collect();
            assert_eq!(listed, arguments, "{}: {text}", method.name);
            let shapes: Vec<Shape> = tape
                .results()
                .iter()
                .map(|result| result.shape)
                .filter(|shape| !shape.is_empty())
                .collect();
            let listed: Vec<Shape> = method.results.iter().map(|(_, shape)| *shape).collect();
            assert_eq!(listed, shapes, "{}: {text}", method.name);
            methods += 1;
        }
    }
    assert!(methods > 500, "{methods} methods only");
}
