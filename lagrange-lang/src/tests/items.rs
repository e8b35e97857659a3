//! Every expansion consists of valid items, whatever the input tokens are, so that rustc reports no syntax error in
//! them.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::{OSCILLATOR, formatted, unsheltered};
use crate::expand::expand;
use crate::host::Purpose;

/// One example of each syntax that has its own parser.
const SMALL: &str = "
    #[lagrangian(crate = ::a::b)]
    pub(crate) struct A { x, y: coordinate, r: parameter[2] = 1 }
    pub(crate) let n = [x, y];
    let mut m = 1;
    for i in 0..2 { m += r[i]; }
    frame F = world.rotate(z, x);
    body B { frame: F, mass: m, inertia: m }
    T = der(y)^2;
    Q.x = 1;
    force [1, m] at n;
    holonomic c: x = y;
    regressor g { r }
    symmetry s: x -> 1, y -> m;
    bundle b { bias, n }
";

/// Tokens that represent others of their kind.
const STRANGE: [&str; 12] = [
    "crate",
    "self",
    "Self",
    "pub",
    "r#fn",
    "_",
    "(crate = x)",
    "[pub, _]",
    "{ self }",
    "::",
    "<x>",
    "'a",
];

fn assert_items(tokens: TokenStream) -> syn::File {
    let text = tokens.to_string();
    let expansion = expand(tokens, Purpose::Code);
    match syn::parse2(expansion.clone()) {
        Ok(file) => file,
        Err(error) => panic!("{error} in the items of {text}\n{expansion}"),
    }
}

/// The items inside the macro of the system are valid too.
fn assert_all_items(tokens: TokenStream) {
    let text = tokens.to_string();
    let file = assert_items(tokens);
    let left = file
        .items
        .into_iter()
        .flat_map(unsheltered)
        .filter(|item| match item {
            syn::Item::Macro(item) => item.ident.is_none() && item.mac.path.segments.len() == 1,
            _ => false,
        });
    assert_eq!(left.count(), 0, "no items of {text}");
}

/// All streams with one token replaced, also in groups.
fn with_another(
    tokens: &TokenStream,
    change: &dyn Fn(&TokenTree) -> TokenStream,
) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut streams = Vec::new();
    for (index, tree) in trees.iter().enumerate() {
        let replaced = |replacement: TokenStream| -> TokenStream {
            let (before, after) = (&trees[..index], &trees[index + 1..]);
            before
                .iter()
                .cloned()
                .chain(replacement)
                .chain(after.iter().cloned())
                .collect()
        };
        streams.push(replaced(change(tree)));
        if let TokenTree::Group(group) = tree {
            let groups = with_another(&group.stream(), change)
                .into_iter()
                .map(|stream| TokenTree::Group(Group::new(group.delimiter(), stream)));
            streams.extend(groups.map(|group| replaced(group.into())));
        }
    }
    streams
}

#[test]
fn a_token_less() {
    let streams = |declaration: &str| {
        let tokens = declaration.parse().unwrap();
        with_another(&tokens, &|_| TokenStream::new())
    };
    streams(OSCILLATOR).into_iter().for_each(assert_all_items);
    for stream in streams(SMALL) {
        assert_items(stream);
    }
}

/// Each token is replaced by every sixth of the strange ones.
#[test]
fn a_token_more_or_another() {
    let tokens: TokenStream = SMALL.parse().unwrap();
    for (round, strange) in STRANGE.iter().enumerate() {
        let strange: TokenStream = strange.parse().unwrap();
        let another = with_another(&tokens, &|_| strange.clone());
        let before = |tree: &TokenTree| strange.clone().into_iter().chain([tree.clone()]).collect();
        let more = with_another(&tokens, &before);
        let of_round = |(at, _): &(usize, TokenStream)| at % 6 == round % 6;
        for streams in [another, more] {
            streams
                .into_iter()
                .enumerate()
                .filter(of_round)
                .for_each(|(_, stream)| {
                    assert_items(stream);
                });
        }
    }
}

#[test]
fn visibilities_and_patterns() {
    for form in [
        "pub",
        "pub (crate)",
        "pub(self)",
        "pub(in super::super)",
        "pub(in ::a)",
        "pub(in r#type)",
        "pub()",
        "pub(in)",
        "pub(a)",
        "pub(crate::a)",
        "pub(crate = x)",
        "pub(crate,)",
        "pub(in a<b>)",
        "pub(in a::)",
        "pub[crate]",
        "pub{crate}",
        "crate",
        "pub pub",
        "pub(crate)(crate)",
        "pub(in {a})",
        "r#pub",
        "(crate = x)",
        "(pub)",
        "(crate, Self, super, mut a, _)",
        "[self]",
        "priv",
        "pub(in crate = x)",
    ] {
        for place in [
            "# struct A { x: coordinate } T = der(x)^2;",
            "struct # A { x: coordinate } T = der(x)^2;",
            "pub struct A { x: coordinate, # y: coordinate } T = der(x)^2 + der(y)^2;",
            "pub struct A { x: coordinate } # let o = x; T = der(x)^2;",
            "pub struct A { x: coordinate } pub let # o = x; T = der(x)^2;",
        ] {
            assert_items(place.replace('#', form).parse().unwrap());
        }
    }
}

#[test]
fn attributes() {
    for form in [
        "#[lagrangian(crate = a<b>)]",
        "#[lagrangian(crate = a(b) -> c)]",
        "#[lagrangian(crate = a::<b>::c)]",
        "#[lagrangian(crate = <a as b>::c)]",
        "#[lagrangian(crate = a::)]",
        "#[lagrangian(crate = Self)]",
        "#[lagrangian(crate = super::r#type)]",
        "#[lagrangian(crate = fn)]",
        "#[lagrangian]",
        "#[lagrangian = 1]",
        "#[lagrangian{crate = a}]",
        "#[cfg]",
        "#[cfg = 1]",
        "#[doc = a!()]",
        "#[derive(Default = 1)]",
        "#[a<b>]",
        "#[a = ]",
        "#[a = b c]",
        "#[]",
        "#[fn]",
        "#[unsafe(a)]",
        "#[a = |x| y]",
        "#![a]",
        "#[a = if x {}]",
    ] {
        for place in [
            "# struct A { x: coordinate } T = der(x)^2;",
            "struct A { # x: coordinate, # m: parameter } T = m * der(x)^2;",
            "struct A { x: coordinate } # pub let o = x; T = der(x)^2;",
            "struct A { x, y: coordinate } T = der(x)^2 + der(y)^2; # holonomic c: x = y;",
        ] {
            assert_items(place.replacen("# ", form, 2).parse().unwrap());
        }
    }
}

/// A constant of a robot that is there already is reported, and not written a second time.
#[test]
fn the_constant_of_a_robot_is_written_once() {
    let text = formatted("struct S { inputs: robot = \"../tests/robots/files/two_links.urdf\" }");
    assert_eq!(text.matches("pub const INPUTS").count(), 1, "{text}");
}
