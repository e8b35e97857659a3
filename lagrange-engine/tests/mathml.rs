//! MathML: as expected, and whatever is written, elements are closed and have the children that they need.

use crate::cases::cases;
use lagrange_engine::{
    Binary, Comparison, Graph, NodeId, Number, Symbol, Unary, mathml_name, plain_names,
};
use proptest::prelude::*;

fn numbered(graph: &mut Graph, text: &str) -> NodeId {
    graph.number(Number::parse(text).unwrap())
}

fn written(make: impl FnOnce(&mut Graph, NodeId, NodeId) -> NodeId) -> String {
    let mut graph = Graph::new();
    let [x, y] = [0, 1].map(|i| graph.symbol(Symbol::Coordinate(i)));
    let root = make(&mut graph, x, y);
    let text = graph.mathml(root, &|symbol| match symbol {
        Symbol::Coordinate(0) => "x".to_owned(),
        _ => "y".to_owned(),
    });
    assert_eq!(problem(&text), None, "{text}");
    text
}

#[test]
fn expressions_are_written_as_expected() {
    assert_eq!(
        written(|graph, x, y| graph.sub(x, y)),
        "<mi>x</mi><mo>−</mo><mi>y</mi>"
    );
    assert_eq!(
        written(|graph, x, _| graph.neg(x)),
        r#"<mo form="prefix">−</mo><mi>x</mi>"#
    );
    assert_eq!(
        written(|graph, x, y| graph.div(x, y)),
        "<mfrac><mrow><mi>x</mi></mrow><mrow><mi>y</mi></mrow></mfrac>"
    );
    assert_eq!(
        written(|graph, x, y| {
            let sum = graph.add(x, y);
            graph.mul(sum, x)
        }),
        "<mi>x</mi><mspace width=\"0.17em\"></mspace>\
         <mrow><mo>(</mo><mi>x</mi><mo>+</mo><mi>y</mi><mo>)</mo></mrow>"
    );
    assert_eq!(
        written(|graph, x, _| {
            let sine = graph.unary(Unary::Sin, x);
            graph.powi(sine, 2)
        }),
        "<msup><mi>sin</mi><mn>2</mn></msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>"
    );
    assert_eq!(
        written(|graph, x, _| graph.unary(Unary::Sqrt, x)),
        "<msqrt><mrow><mi>x</mi></mrow></msqrt>"
    );
    assert_eq!(
        written(|graph, x, y| graph.binary(Binary::Atan2, y, x)),
        "<mi>atan2</mi><mrow><mo>(</mo><mi>y</mi><mo separator=\"true\">,</mo><mi>x</mi><mo>)</mo></mrow>"
    );
    assert_eq!(
        written(|graph, x, _| {
            let half = numbered(graph, "0.25");
            graph.mul(half, x)
        }),
        "<mfrac><mrow><mi>x</mi></mrow><mrow><mn>4</mn></mrow></mfrac>"
    );
    assert_eq!(
        written(|graph, x, y| graph.select(Comparison::Less, x, y, x, y)),
        "<mrow><mo>{</mo><mtable><mtr><mtd><mi>x</mi></mtd><mtd><mtext>if </mtext><mi>x</mi><mo>&lt;</mo>\
         <mi>y</mi></mtd></mtr><mtr><mtd><mi>y</mi></mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>"
    );
}

#[test]
fn names_are_letters_with_dots_and_indices() {
    for (name, expected) in [
        ("x", "<mi>x</mi>"),
        ("theta", "<mi>θ</mi>"),
        ("mass", "<mi>mass</mi>"),
        ("q1", "<msub><mi>q</mi><mrow><mn>1</mn></mrow></msub>"),
        (
            "x''",
            r#"<mover><mi>x</mi><mo scriptlevel="0">¨</mo></mover>"#,
        ),
        (
            "r_b[2]'",
            "<msub><mover><mi>r</mi><mo scriptlevel=\"0\">˙</mo></mover>\
             <mrow><mi>b</mi><mo separator=\"true\">,</mo><mn>2</mn></mrow></msub>",
        ),
        (
            "steer'",
            r#"<mover><mpadded height="1ex"><mi>steer</mi></mpadded><mo scriptlevel="0">˙</mo></mover>"#,
        ),
        (
            "left'",
            r#"<mover><mi>left</mi><mo scriptlevel="0">˙</mo></mover>"#,
        ),
        (
            "theta''",
            r#"<mover><mi>θ</mi><mo scriptlevel="0">¨</mo></mover>"#,
        ),
        (
            "leg_hip'",
            "<mover><mpadded height=\"1ex\"><msub><mi>leg</mi><mrow><mi>hip</mi></mrow></msub></mpadded>\
             <mo scriptlevel=\"0\">˙</mo></mover>",
        ),
        ("<b>&", "<mi>&lt;b&gt;&amp;</mi>"),
    ] {
        assert_eq!(mathml_name(name), expected);
        assert_eq!(problem(expected), None);
    }
}

#[test]
fn what_is_too_long_to_read_is_cut() {
    let mut graph = Graph::new();
    let mut root = graph.symbol(Symbol::Coordinate(0));
    for _ in 0..60 {
        let sine = graph.unary(Unary::Sin, root);
        root = graph.mul(sine, root);
    }
    assert_eq!(graph.mathml(root, &plain_names), "<mo>…</mo>");
}

/// How many children an element must have, where that is fixed.
fn children(element: &str) -> Option<usize> {
    match element {
        "mfrac" | "msup" | "msub" | "mover" => Some(2),
        _ => None,
    }
}

/// The error of a piece of MathML: an element that is not closed, has too few or too many children, or text in the
/// place of elements.
fn problem(text: &str) -> Option<String> {
    let mut open: Vec<(&str, usize)> = vec![("math", 0)];
    let mut rest = text;
    while let Some(position) = rest.find('<') {
        let (before, tag) = rest.split_at(position);
        let inside = open.last()?.0;
        let holds_text = ["mi", "mn", "mo", "mtext"].contains(&inside);
        if !before.is_empty() && !holds_text {
            return Some(format!("text in {inside}: {before}"));
        }
        let (tag, after) = tag[1..].split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let (element, found) = open.pop()?;
            if element != name {
                return Some(format!("{element} ends as {name}"));
            }
            if children(element).is_some_and(|needed| needed != found) {
                return Some(format!("{element} has {found} children"));
            }
        } else {
            open.last_mut()?.1 += 1;
            open.push((tag.split(' ').next()?, 0));
        }
    }
    if open.len() > 1 || !rest.is_empty() {
        return Some(format!("{open:?} left open, {rest} left"));
    }
    None
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn elements_are_whole(program in crate::random::programs()) {
        let mut graph = Graph::new();
        let roots = crate::random::build(&mut graph, &program);
        for root in roots {
            let text = graph.mathml(root, &plain_names);
            prop_assert_eq!(problem(&text), None, "{}", text);
        }
    }
}
