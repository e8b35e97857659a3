//! Tests of the documentation of generated items.

use std::collections::HashSet;

use syn::{Attribute, Expr, Item, Lit, Meta};

use super::{CART_POLE, items};

/// Rotors with forces that depend on parameters. The generalized forces are too long for one line.
const ROTORS: &str = "
    struct Rotors {
        r: coordinate[3], attitude: rotation,
        m: parameter, arm: parameter[4, 3],
        thrust: input[4],
    }
    frame Hull = world.translate(r).rotate(attitude);
    body { frame: Hull, mass: m, inertia: diag(m, m, m) }
    for i in 0..4 { force Hull.vector([0, 0, thrust[i]]) at Hull.point(arm[i]); }
";

/// The texts of `doc` attributes on the struct, with the condition of each.
fn of_struct(declaration: &str) -> Vec<(Option<&'static str>, String)> {
    let file = items(declaration);
    file.items
        .into_iter()
        .find_map(|item| match item {
            Item::Struct(item) => Some(item),
            _ => None,
        })
        .unwrap()
        .attrs
        .iter()
        .filter_map(of_attribute)
        .collect()
}

fn of_attribute(attribute: &Attribute) -> Option<(Option<&'static str>, String)> {
    if attribute.path().is_ident("doc") {
        return Some((None, text_of(&attribute.meta)?));
    }
    if !attribute.path().is_ident("cfg_attr") {
        return None;
    }
    let mut condition_of_item = None;
    attribute
        .parse_args_with(|input: syn::parse::ParseStream| {
            let condition: Meta = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let condition = match condition {
                Meta::Path(_) => "doc",
                _ => "not(doc)",
            };
            condition_of_item = text_of(&input.parse()?).map(|text| (Some(condition), text));
            Ok(())
        })
        .unwrap();
    condition_of_item
}

pub(super) fn text_of(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(syn::ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

fn on(condition: &'static str, declaration: &str) -> String {
    of_struct(declaration)
        .into_iter()
        .filter(|(found, _)| *found == Some(condition))
        .map(|(_, text)| text)
        .collect()
}

#[test]
fn editors_read_text_and_browsers_draw_formulas() {
    let (hover, page) = (on("not(doc)", CART_POLE), on("doc", CART_POLE));
    assert!(hover.starts_with("\n```text\nT = ") && !hover.contains('<'));
    assert!(page.contains("<math display=\"block\">") && !page.contains("```"));
    // Markdown would interpret text after an empty line.
    assert!(!page.trim().contains('\n'), "{page}");
}

#[test]
fn long_equations_are_folded() {
    let page = on("doc", ROTORS);
    let (formula, folded) = page.split_once("<details>").unwrap();
    assert!(formula.contains("<mi>M</mi>"), "{formula}");
    assert!(folded.contains("\n\n```text\n") && folded.contains("```\n\n</details>"));
}

/// Equations that are too long to read have a general form. Their parts are written out.
#[test]
fn the_longest_equations_are_general() {
    let chain = |n: usize, constraint: &str| {
        let source = format!(
            "struct Chain {{ q: coordinate[{n}], m, l: parameter }}
             let mut r = [0, 0];
             for i in 0..{n} {{
                 r += l * [sin(q[i]), -cos(q[i])];
                 T += m * der(r)^2 / 2;
             }}
             {constraint}"
        );
        let text = on("not(doc)", &source);
        let (general, zeros) = (
            text.contains("M(q) q'' + h(q, q') = Q"),
            text.contains("\n0 = "),
        );
        assert!(text.contains("T = "), "{text}");
        (general, zeros)
    };
    assert_eq!(chain(3, ""), (false, true));
    assert_eq!(chain(24, ""), (true, false));
    assert_eq!(chain(24, "holonomic end: r.y = 0;"), (true, true));
}

/// A name has one definition.
#[test]
fn no_two_lines_have_the_same_left_side() {
    let text = on("not(doc)", ROTORS);
    let lefts: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(left, _)| left)
        .collect();
    assert!(lefts.contains(&"Q.attitude.x"), "{text}");
    let different: HashSet<&&str> = lefts.iter().collect();
    assert_eq!(different.len(), lefts.len(), "{text}");
}

#[test]
fn methods_name_the_entries_of_their_arguments() {
    let text = super::formatted(CART_POLE);
    assert!(
        text.contains("Arguments: `q = [x, theta]`, `v = [der(x), der(theta)]`, `u = [u]`."),
        "{text}"
    );
    let text = super::formatted(ROTORS);
    assert!(
        text.contains("`q = [r[0], r[1], r[2], attitude.x, attitude.y, attitude.z, attitude.w]`"),
        "{text}"
    );
}

/// Unused parts of a robot file are reported with their place.
#[test]
fn the_struct_says_what_of_a_robot_is_not_used() {
    let of = |file: &str, options: &str| {
        let declaration = format!(
            "struct Robot {{ arm: robot = \"../tests/robots/files/{file}.urdf\" {options} }}"
        );
        of_struct(&declaration)
            .into_iter()
            .map(|(_, text)| text)
            .collect::<String>()
    };
    let text = of("text", "");
    let path = "../tests/robots/files/text.urdf";
    for line in [
        format!("# Not used of `{path}`"),
        format!("- `<collision>`, 2 times, first {path}:9:5"),
        format!("- `<transmission>`, {path}:20:3"),
        format!("- the attribute `speed` of `<joint>`, {path}:11:3"),
        format!("- a `<limit>` of effort 0, which limits nothing here, {path}:17:5"),
    ] {
        assert!(text.contains(&line), "no {line} in\n{text}");
    }
    let friction = "the friction 0.7 of the joint `hinge`";
    assert!(of("pendulum", "{ friction: ignore }").contains(friction));
    assert!(!of("pendulum", "{ friction: smooth(1) }").contains("Not used"));
    let locked = of(
        "pendulum",
        "{ base: free, lock: { hinge: 1 }, friction: smooth(1) }",
    );
    assert!(locked.contains(friction) && locked.contains("the damping 0.3 of the joint `hinge`"));
}
