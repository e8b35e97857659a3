//! Tests of the names for editors: each token that is a name leads to one item.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree, extra};

use super::declarations;
use crate::editor::{Declaration, Kind, Names};
use crate::errors::Errors;
use crate::expand::{Known, Sound, items, read};
use crate::host::Purpose;
use crate::syntax::ast::text;
use crate::syntax::is_rust_keyword;

/// Line and column of the first character.
type Place = (usize, usize);

fn place(span: Span) -> Place {
    let start = span.start();
    (start.line, start.column)
}

/// The names of a declaration, and its mistakes.
fn understood(declaration: &str) -> (Result<Sound, Box<Known>>, Errors) {
    let mut errors = Errors::default();
    match read(declaration.parse().unwrap(), &mut errors) {
        Some((_, understood)) => (understood, errors),
        None => panic!("no names in {declaration}"),
    }
}

fn names(declaration: &str) -> Names {
    match understood(declaration).0 {
        Ok(sound) => sound.names,
        Err(known) => known.names,
    }
}

/// Each token that is a name, and the item that it leads to, as `kind name #number`.
fn resolved(names: &Names, declaration: &str) -> BTreeMap<Place, String> {
    let mut targets = BTreeMap::new();
    let declared = names
        .declarations
        .iter()
        .enumerate()
        .map(|(number, declaration)| (&declaration.name, Some(number)));
    let used = names
        .uses
        .iter()
        .map(|(token, number)| (token, Some(*number)));
    for (token, number) in declared
        .chain(used)
        .chain(names.listed.iter().map(|token| (token, None)))
    {
        let meaning = number.map_or("listed".to_owned(), |number| {
            format!("{:?} #{number}", names.declarations[number].kind)
        });
        let before = targets.insert(place(token.span()), format!("{} {meaning}", text(token)));
        assert_eq!(before, None, "{token} twice in {declaration}");
    }
    targets
}

/// The names of a declaration.
struct Declared {
    values: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Declared {
    fn of(names: &Names) -> Self {
        let (functions, values): (Vec<_>, Vec<_>) = names
            .declarations
            .iter()
            .partition(|declaration| declaration.kind == Kind::Function);
        let texts = |declarations: Vec<&Declaration>| {
            declarations
                .into_iter()
                .map(|declared| text(&declared.name))
                .collect()
        };
        Declared {
            values: texts(values),
            functions: texts(functions),
        }
    }
}

/// The tokens that are names, determined by their neighbours and not by the syntax tree. These are the words that
/// are not functions, members, roles, labels or words of the language.
fn written(tokens: TokenStream, declared: &Declared, found: &mut BTreeSet<Place>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: Option<usize>, letter: char| {
        let tree = at.and_then(|at| trees.get(at));
        matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == letter)
    };
    let is_word = |at: Option<usize>, words: &[&str]| {
        let tree = at.and_then(|at| trees.get(at));
        matches!(tree, Some(TokenTree::Ident(word)) if words.iter().any(|w| word == w))
    };
    for (at, tree) in trees.iter().enumerate() {
        let before = |count: usize| at.checked_sub(count);
        match tree {
            TokenTree::Group(_) if is_punct(before(1), '#') => {}
            // The words of a unit.
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket
                    && follows_role_or_number(&trees[..at]) => {}
            TokenTree::Group(group) => {
                let is_rotation = is_word(before(1), &["rotate"]);
                written(without_axis(group.stream(), is_rotation), declared, found);
            }
            TokenTree::Ident(name) => {
                let next = trees.get(at + 1);
                let is_call = matches!(next, Some(TokenTree::Group(group)) if is_call(group));
                let is_range = is_punct(before(1), '.') && is_punct(before(2), '.');
                let is_member =
                    is_punct(before(1), '.') && !is_range && !is_word(before(2), &["Q"]);
                let is_label = is_punct(Some(at + 1), ':')
                    && !is_word(before(1), &["holonomic", "nonholonomic", "contact"])
                    && is_block(&trees);
                let is_system = is_word(before(1), &["struct"]);
                let of_listing = is_word(before(1), &["bundle", "regressor", "symmetry"]);
                let is_known =
                    declared.values.contains(&bare(name)) && !is_rust_keyword(&name.to_string());
                let is_function = is_call && declared.functions.contains(&text(name));
                let is_value = is_known && !is_call && !is_member;
                let is_value = is_value && !is_label && !is_system && !of_listing;
                if is_function || is_value {
                    found.insert(place(name.span()));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether these tokens end in a role, with or without its size, or in a number.
fn follows_role_or_number(trees: &[TokenTree]) -> bool {
    match trees {
        [.., TokenTree::Ident(role), TokenTree::Group(_)] | [.., TokenTree::Ident(role)] => {
            ["coordinate", "parameter", "input", "time"]
                .iter()
                .any(|word| role == word)
        }
        [.., TokenTree::Literal(_)] => true,
        _ => false,
    }
}

fn is_call(arguments: &Group) -> bool {
    arguments.delimiter() == Delimiter::Parenthesis
}

/// The arguments of `rotate(z, angle)`, `rotate(-z, angle)` without the letter of the axis.
fn without_axis(tokens: TokenStream, is_rotation: bool) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_sign = |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(_)));
    let start = usize::from(is_sign(trees.first()));
    let is_axis = match trees.get(start) {
        Some(TokenTree::Ident(word)) => ["x", "y", "z"].iter().any(|axis| word == axis),
        _ => false,
    };
    // A single argument is a rotation.
    if is_rotation && is_axis && trees.len() > start + 1 {
        trees.remove(start);
    }
    trees.into_iter().collect()
}

/// Returns whether these are the fields of a body, a spring, a damper, an actuator or a contact. Their values are separated by
/// commas, and no role follows a label.
fn is_block(trees: &[TokenTree]) -> bool {
    let labels = [
        "mass",
        "at",
        "inertia",
        "frame",
        "k",
        "c",
        "rest",
        "from",
        "to",
        "joint",
        "slip",
        "restitution",
    ];
    let roles = ["coordinate", "parameter", "input", "time", "rotation"];
    let has = |words: &[&str]| {
        trees.windows(2).any(|pair| {
            let [TokenTree::Ident(word), _] = pair else {
                return false;
            };
            words.iter().any(|w| word == w)
        }) || matches!(trees.last(), Some(TokenTree::Ident(word)) if words.iter().any(|w| word == w))
    };
    has(&labels) && !has(&roles)
}

fn bare(name: &Ident) -> String {
    text(name).replace('\u{307}', "").replace('ẋ', "x")
}

#[test]
fn every_name_of_every_declaration_leads_somewhere() {
    let mut count = 0;
    for sound in declarations::sound() {
        let declaration = &sound.text;
        let names = names(declaration);
        let declared = Declared::of(&names);
        // A name that equals a word of the language cannot be distinguished by its neighbours.
        if ["coordinate", "force", "frame", "parameter"]
            .iter()
            .any(|word| declared.values.contains(*word))
        {
            extra::invalidate_current_thread_spans();
            continue;
        }
        let mut expected = BTreeSet::new();
        written(declaration.parse().unwrap(), &declared, &mut expected);
        // An item of a bundle may be a generated method, whose name is not declared.
        expected.extend(names.listed.iter().map(|token| place(token.span())));
        let places: BTreeSet<Place> = resolved(&names, declaration).into_keys().collect();
        extra::invalidate_current_thread_spans();
        let difference: Vec<&Place> = places.symmetric_difference(&expected).collect();
        assert!(difference.is_empty(), "{difference:?} in\n{declaration}");
        count += places.len();
    }
    assert!(count > 2000, "{count} names");
}

/// The bodies of the functions with these names, and of their parts.
fn bodies(tokens: TokenStream, names: &[&str], found: &mut Vec<TokenStream>) {
    let mut is_function = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(word) => is_function |= names.iter().any(|name| word == name),
            TokenTree::Group(group) if is_function && group.delimiter() == Delimiter::Brace => {
                is_function = false;
                found.push(group.stream());
            }
            TokenTree::Group(group) => bodies(group.stream(), names, found),
            _ => {}
        }
    }
}

fn identifiers(tokens: TokenStream, found: &mut Vec<Ident>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => identifiers(group.stream(), found),
            TokenTree::Ident(name) => found.push(name),
            _ => {}
        }
    }
}

/// The number of uses of each token, under its own name, in the code for editors.
fn shown(tokens: TokenStream, declaration: &str) -> BTreeMap<(Place, String), usize> {
    let mut bodies_found = Vec::new();
    bodies(tokens, &["in_rust", "in_declaration"], &mut bodies_found);
    assert_eq!(bodies_found.len(), 2, "{declaration}");
    let mut names = Vec::new();
    for body in bodies_found {
        identifiers(body, &mut names);
    }
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry((place(name.span()), text(&name))).or_insert(0) += 1;
    }
    counts
}

/// Each token is used once, except declarations of parameters and outputs, which are fields and methods.
fn assert_shown_once(declaration: &str, has_mistakes: bool) {
    let (understood, errors) = understood(declaration);
    let names = match &understood {
        Ok(sound) => &sound.names,
        Err(known) => &known.names,
    };
    let is_item = |kind: Kind| kind == Kind::Parameter || kind.is_output();
    let uses = names.uses.iter().map(|(token, _)| (token, false));
    let declared = names
        .declarations
        .iter()
        .map(|declaration| (&declaration.name, is_item(declaration.kind)));
    let expected: Vec<(Place, String)> = uses
        .chain(declared)
        .filter(|(_, is_item)| !is_item)
        .map(|(token, _)| (place(token.span()), text(token)))
        .collect();
    let tokens = items(understood, errors, Purpose::Code);
    if has_mistakes {
        assert!(tokens.to_string().contains("compile_error"));
    }
    let shown = shown(tokens, declaration);
    for token in expected {
        assert_eq!(shown.get(&token), Some(&1), "{token:?} in {declaration}");
    }
    extra::invalidate_current_thread_spans();
}

#[test]
fn every_name_is_shown_once() {
    for sound in declarations::sound().iter().step_by(10) {
        assert_shown_once(&sound.text, false);
    }
}

/// The same for a declaration with mistakes.
#[test]
fn what_has_mistakes_is_shown_too() {
    for sound in declarations::sound().iter().skip(2).step_by(5) {
        assert_shown_once(&format!("{}\n D = undeclared_name;", sound.text), true);
    }
}

/// The items that the names of a text lead to, in the order of the text.
fn kinds(declaration: &str) -> String {
    let names = names(declaration);
    let targets: Vec<String> = resolved(&names, declaration).into_values().collect();
    extra::invalidate_current_thread_spans();
    targets.join(", ")
}

#[test]
fn names_lead_to_what_is_in_sight() {
    let head = "struct S { x: coordinate, m: parameter } T = m * der(x)^2;";
    let head_kinds = "x Coordinate #0, m Parameter #1, m Parameter #1, x Coordinate #0";
    for (statements, expected) in [
        // A `let` hides an earlier `let`, from the next statement on.
        (
            "let a = x; let a = a + a; V = a;",
            "a Let { public: false } #2, x Coordinate #0, a Let { public: false } #3, \
             a Let { public: false } #2, a Let { public: false } #2, a Let { public: false } #3",
        ),
        // Declarations in a loop end with it. The bounds do not see the variable.
        (
            "let a = 1; for i in 0..2 { let a = a + i; V += a; } D = a;",
            "a Let { public: false } #2, i Index #3, a Let { public: false } #4, \
             a Let { public: false } #2, i Index #3, a Let { public: false } #4, \
             a Let { public: false } #2",
        ),
        (
            "for i in 0..2 { for j in 0..i { V += sum(k in i..j + 1, k * x); } }",
            "i Index #2, j Index #3, i Index #2, k Index #4, i Index #2, j Index #3, k Index #4, \
             x Coordinate #0",
        ),
        // Constraints and bodies have separate names.
        (
            "body m { mass: m, at: [x, 0] } holonomic x: x = 0;",
            "m Body #2, m Parameter #1, x Coordinate #0, x Constraint #3, x Coordinate #0",
        ),
        // So have actuators, whose motors are read after loops too. The axis of a rotor is not a name.
        (
            "actuator x { joint: x, rotor: m, elastic: 1, on: world, axis: x } V = x.angle + x; \
             Q.x.angle = m; for i in 0..2 { V += x.angle * i; }",
            "x Actuator #2, x Coordinate #0, m Parameter #1, x Actuator #2, x Coordinate #0, \
             x Actuator #2, m Parameter #1, i Index #3, x Actuator #2, i Index #3",
        ),
        (
            "for i in 0..2 { actuator a { joint: x, rotor: 1, elastic: m } } Q.a[1].angle = der(a[0].angle);",
            "i Index #2, a Actuator #3, x Coordinate #0, m Parameter #1, a Actuator #3, a Actuator #3",
        ),
        // An axis is not a name, and the items of a bundle are methods.
        (
            "frame F = world.rotate(x, x); pub let m2 = x; bundle all { m2, bias, m2_jacobian } \
             regressor r { m } symmetry s: x -> 1;",
            "F Frame { public: false } #2, x Coordinate #0, m2 Let { public: true } #3, \
             x Coordinate #0, m2 Let { public: true } #3, bias listed, m2_jacobian listed, \
             m Parameter #1, x Coordinate #0",
        ),
        (
            "let mut a = 0; a += x; Q.x = a; V = ẋ;",
            "a Let { public: false } #2, a Let { public: false } #2, x Coordinate #0, x Coordinate #0, \
             a Let { public: false } #2, x Coordinate #0",
        ),
        // Functions are separate from values, and their parameters hide values in the body.
        (
            "let f(x, a) = x * a * m; let m(f) = f.f(1); let f(f) = f(f, f); V = f(x) + m;",
            "f Function #4, x Argument #2, a Argument #3, x Argument #2, a Argument #3, m Parameter #1, \
             m Function #6, f Argument #5, f Argument #5, f Function #4, f Function #8, f Argument #7, \
             f Function #4, f Argument #7, f Argument #7, f Function #8, x Coordinate #0, m Parameter #1",
        ),
        (
            "for i in 0..2 { let f(a) = i * a; V += f(x); }",
            "i Index #2, f Function #4, a Argument #3, i Index #2, a Argument #3, f Function #4, x Coordinate #0",
        ),
    ] {
        let expected = format!("{head_kinds}, {expected}");
        assert_eq!(kinds(&format!("{head} {statements}")), expected);
    }
}

#[test]
fn names_tell_what_they_are() {
    let declaration = "
        struct S {
            x: coordinate, p: coordinate[3], att: rotation, R: coordinate[2, 2], w: rotation[2],
            k: parameter[2], u: input[2], f: input, t: time,
        }
        let a = p; let a = norm(a); let mut b = R; let f(c, d) = c * d;
        pub frame F = world.translate(p).rotate(att);
        body { frame: F, mass: 1, inertia: diag(1, 1, 1) }
        T = der(x)^2 + trace(der(R) * transpose(der(R)));
        holonomic h: R = identity(2);
        actuator rigid { joint: x, torque: f }
        actuator soft { joint: x, rotor: 1, elastic: 1 }
    ";
    let names = names(declaration);
    let summaries: Vec<String> = names
        .declarations
        .iter()
        .map(|declaration| format!("{}: {}", declaration.name, declaration.summary))
        .collect();
    extra::invalidate_current_thread_spans();
    let expected = [
        "x: A coordinate: a scalar, entry 0 of q and of v.",
        "p: A coordinate: a vector of length 3, entries 1 to 3 of q and of v.",
        "att: A rotation: a unit quaternion x, y, z, w, entries 4 to 7 of q; its rates are entries 4 to 6 of v.",
        "R: A coordinate: a 2 x 2 matrix, entries 8 to 11 of q and entries 7 to 10 of v.",
        "w: An array of 2 rotations: unit quaternions x, y, z, w, entries 12 to 19 of q; their rates are entries \
         11 to 16 of v.",
        "k: A parameter: a vector of length 2.",
        "u: An input: a vector of length 2, entries 0 to 1 of u.",
        "f: An input: a scalar, entry 2 of u.",
        "t: The time: a scalar, the argument t.",
        "a: A `let`: a vector of length 3.",
        "a: A `let`: a scalar.",
        "b: A `let mut`: a 2 x 2 matrix.",
        "c: An argument of the function `f`.",
        "d: An argument of the function `f`.",
        "f: A function of 2 arguments.",
        "F: A frame: a pose in the world.",
        "h: A holonomic constraint: 4 equations.",
        "rigid: An actuator: a motor behind a gear.",
        "soft: An actuator: a motor behind a gear, which is elastic: the motor's angle is a coordinate.",
    ];
    assert_eq!(summaries, expected);
}
