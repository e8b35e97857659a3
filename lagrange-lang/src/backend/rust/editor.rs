//! Items for editors: a documented item for each name of a declaration, and a use of this item at every token. Also
//! warnings at the user's tokens, by lints of rustc, because stable Rust has no other way.
//!
//! ```text
//! const _: () = {
//!     #[cfg(not(rust_analyzer))]
//!     mod unused { .. }
//!     #[cfg(rust_analyzer)]
//!     fn in_rust<S: SimdRealField + Copy>(system: &CartPole<S>) { &system.m_c; CartPole::<S>::bob; }
//!     #[cfg(rust_analyzer)]
//!     fn in_declaration() {
//!         struct scalar; ..
//!         struct coordinate { /** A coordinate: .. */ x: scalar, .. }
//!         fn uses(coordinate: coordinate, ..) { &coordinate.x; .. }
//!     }
//! };
//! ```
//!
//! A parameter corresponds to its field, and an output to its method. A name without an item in Rust corresponds to
//! a field of a struct. The struct has the name of the role, and the type of the field shows the shape in an
//! editor. Editors that use rust-analyzer see all of this, because rust-analyzer always sets its own `cfg`. rustc does
//! not see these items, so that rustc has nothing to check, warn of or document. rustc instead sees the names that
//! nothing reads, which would be second items at their tokens.

use std::collections::{HashMap, HashSet};

use lagrange_engine::Shape;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Attribute;

use super::function::Function;
use super::skeleton::Skeleton;
use crate::attributes::{doc_attributes, sets_level};
use crate::editor::{Declaration, Kind, Names};
use crate::generated::Beside;
use crate::lints::{DEPRECATED, UNUSED};
use crate::model::{Head, Model, Unused, Warning};
use crate::syntax::ast::text;
use crate::syntax::is_rust_keyword;

/// Never compiled, except for the names that nothing reads.
pub(super) fn write_items(
    skeleton: &Skeleton,
    names: &Names,
    functions: &[Function],
    unused: &[Unused],
) -> TokenStream {
    let mut items = Items::new(skeleton, functions);
    for declaration in &names.declarations {
        items.declare(declaration);
    }
    for (token, declaration) in &names.uses {
        items.mention(token, *declaration);
    }
    for token in &names.listed {
        items.mention_listed(token);
    }
    let conditions = &skeleton.conditions;
    let (levels, unused) = write_unused_names(skeleton.head, unused);
    let unused = unused.map(|unused| quote!(#[cfg(not(rust_analyzer))] #unused));
    let items = items.write(skeleton);
    quote! {
        #(#conditions)*
        #(#levels)*
        #[allow(unexpected_cfgs)]
        const _: () = { #unused #items };
    }
}

/// The item of a name in Rust.
enum Item {
    /// The field of a parameter.
    Parameter,
    /// The method of an output, and its additional methods.
    Output(Vec<Beside>),
    /// A field of the struct with this index.
    Named(usize),
    /// Rust has no item with such a name.
    None,
}

/// The names of one role.
struct Role {
    structure: Ident,
    fields: TokenStream,
}

struct Items<'a> {
    system: &'a Ident,
    parameters: HashSet<String>,
    methods: HashSet<String>,
    /// The item of each declaration.
    items: Vec<Item>,
    /// The structs of the roles. A name that hides another one of its role is in another struct.
    roles: Vec<Role>,
    /// The number of declarations with this role and name.
    counts: HashMap<(&'static str, String), usize>,
    /// The indices of the structs, by their names.
    numbers: HashMap<String, usize>,
    uses_of_system: TokenStream,
    uses_of_names: TokenStream,
}

impl<'a> Items<'a> {
    fn new(skeleton: &'a Skeleton, functions: &[Function]) -> Self {
        let parameters = skeleton.head.parameters.iter();
        let functions = functions.iter();
        Items {
            system: &skeleton.system,
            parameters: parameters.map(|item| text(&item.name)).collect(),
            methods: functions.map(|function| function.unraw()).collect(),
            items: Vec::new(),
            roles: Vec::new(),
            counts: HashMap::new(),
            numbers: HashMap::new(),
            uses_of_system: TokenStream::new(),
            uses_of_names: TokenStream::new(),
        }
    }

    fn declare(&mut self, declaration: &Declaration) {
        let written = text(&declaration.name);
        let item = match declaration.kind {
            // If two declarations have the same name, which is a mistake, the first is the item.
            Kind::Parameter if self.parameters.remove(&written) => Item::Parameter,
            kind if kind.is_output() && self.methods.remove(&written) => {
                let is_there = |method: &Beside| self.methods.contains(&method.of(&written));
                Item::Output(Beside::ALL.iter().copied().filter(is_there).collect())
            }
            _ if may_be_item(&declaration.name) => {
                Item::Named(self.add_field(declaration, written))
            }
            _ => Item::None,
        };
        self.items.push(item);
    }

    /// Declares a field, and returns the index of its struct.
    fn add_field(&mut self, declaration: &Declaration, written: String) -> usize {
        let word = word(declaration.kind);
        let count = self.counts.entry((word, written)).or_insert(0);
        *count += 1;
        let number = match *count {
            1 => self.find_or_add_role(word.to_owned()),
            count => self.find_or_add_role(format!("{word}_{count}")),
        };
        let Declaration {
            name,
            attributes,
            summary,
            ..
        } = declaration;
        let docs = doc_attributes(attributes);
        let ty = shape(declaration);
        let role = &mut self.roles[number];
        role.fields.extend(quote! {
            #[doc = #summary]
            #[doc = ""]
            #(#docs)*
            #name: #ty,
        });
        number
    }

    fn find_or_add_role(&mut self, name: String) -> usize {
        let next = self.roles.len();
        let structure = format_ident!("{name}");
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.roles.push(Role {
                structure,
                fields: TokenStream::new(),
            });
        }
        number
    }

    fn mention(&mut self, token: &Ident, declaration: usize) {
        match &self.items[declaration] {
            Item::Parameter => self.uses_of_system.extend(quote!(&system.#token;)),
            Item::Output(beside) => {
                // Renaming in an editor then includes it.
                let output = text(token);
                let beside = beside
                    .iter()
                    .map(|method| Ident::new(&method.of(&output), token.span()));
                let methods: Vec<Ident> = std::iter::once(token.clone()).chain(beside).collect();
                let system = self.system;
                self.uses_of_system
                    .extend(quote!(#(#system::<S>::#methods;)*));
            }
            Item::Named(number) => {
                let role = &self.roles[*number].structure;
                self.uses_of_names.extend(quote!(&#role.#token;));
            }
            Item::None => {}
        }
    }

    /// The item of a bundle that is not a declaration.
    fn mention_listed(&mut self, token: &Ident) {
        if self.methods.contains(&text(token)) {
            let system = self.system;
            self.uses_of_system.extend(quote!(#system::<S>::#token;));
        }
    }

    fn write(&self, skeleton: &Skeleton) -> TokenStream {
        let Skeleton {
            system, runtime, ..
        } = skeleton;
        let (uses_of_system, uses_of_names) = (&self.uses_of_system, &self.uses_of_names);
        let structures: Vec<&Ident> = self.roles.iter().map(|role| &role.structure).collect();
        let fields = self.roles.iter().map(|role| &role.fields);
        let number = quote!(#runtime::core::primitive::usize);
        let has_functions = self.numbers.contains_key("function");
        let of_actuators = self.numbers.contains_key("actuator").then(|| {
            quote!(
                struct motor;
            )
        });
        let of_functions = has_functions.then(|| {
            quote! {
                struct expression;
                struct given;
            }
        });
        quote! {
            #[cfg(rust_analyzer)]
            #[allow(unused)]
            fn in_rust<S: #runtime::SimdRealField + #runtime::core::marker::Copy>(system: &#system<S>) { #uses_of_system }
            #[cfg(rust_analyzer)]
            #[allow(unused, non_camel_case_types, non_snake_case)]
            fn in_declaration() {
                struct scalar;
                struct vector<const N: #number>;
                struct matrix<const ROWS: #number, const COLUMNS: #number>;
                struct quaternion;
                struct pose;
                struct rigid;
                struct integer;
                #of_functions
                #of_actuators
                struct equations<const N: #number>;
                struct unknown;
                #(struct #structures { #fields })*
                fn uses(#(#structures: #structures),*) { #uses_of_names }
            }
        }
    }
}

/// The name of the struct of a role.
fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Coordinate | Kind::Rotation | Kind::Robot => "coordinate",
        Kind::Parameter => "parameter",
        Kind::State => "state",
        Kind::Input => "input",
        Kind::Time => "time",
        Kind::Let { .. } => "variable",
        Kind::Function => "function",
        Kind::Argument => "argument",
        Kind::Frame { .. } => "frame",
        Kind::Index => "index",
        Kind::Body => "body",
        Kind::Actuator => "actuator",
        Kind::Constraint => "constraint",
        Kind::Contact => "contact",
    }
}

/// The type that an editor shows.
fn shape(declaration: &Declaration) -> TokenStream {
    let number = Literal::usize_unsuffixed;
    match (declaration.kind, declaration.shape) {
        (Kind::Rotation, Some(Shape::Matrix(count, _))) => {
            let count = number(count);
            quote!([quaternion; #count])
        }
        (Kind::Rotation, _) => quote!(quaternion),
        (Kind::Frame { .. }, _) => quote!(pose),
        (Kind::Body | Kind::Robot, _) => quote!(rigid),
        (Kind::Actuator, _) => quote!(motor),
        (Kind::Index, _) => quote!(integer),
        (Kind::Function, _) => quote!(expression),
        (Kind::Argument, _) => quote!(given),
        (Kind::Constraint, Some(Shape::Vector(rows))) => {
            let rows = number(rows);
            quote!(equations<#rows>)
        }
        (_, Some(Shape::Scalar)) => quote!(scalar),
        (_, Some(Shape::Vector(length))) => {
            let length = number(length);
            quote!(vector<#length>)
        }
        (_, Some(Shape::Matrix(rows, columns))) => {
            let (rows, columns) = (number(rows), number(columns));
            quote!(matrix<#rows, #columns>)
        }
        (_, None) => quote!(unknown),
    }
}

/// Returns whether an item may have this name in every edition.
fn may_be_item(name: &Ident) -> bool {
    let written = name.to_string();
    !is_rust_keyword(&written) && written != "_"
}

/// All warnings of the model.
pub(super) fn write_warnings(model: &Model) -> TokenStream {
    let levels = select_levels(&model.head.attributes, &DEPRECATED);
    model
        .warnings
        .iter()
        .map(|warning| write_warning(warning, &levels))
        .collect()
}

/// The unused names, if there are any, and the attributes of the item that holds them.
///
/// ```text
/// mod unused { struct __Value; fn names() { #[allow(unused_variables)] let damping = __Value; } }
/// ```
///
/// Inside the module the user's constants are not in scope. Otherwise a `let` with the name of a constant would match
/// the constant.
/// The separate type prevents rustc from suggesting constants with similar names.
fn write_unused_names<'h>(
    head: &'h Head,
    names: &[Unused],
) -> (Vec<&'h Attribute>, Option<TokenStream>) {
    if names.is_empty() {
        return (Vec::new(), None);
    }
    let names = names.iter().map(write_unused_name);
    let module = quote! {
        #[no_implicit_prelude]
        #[allow(dead_code)]
        mod unused {
            struct __Value;
            #[allow(non_snake_case, clippy::all, clippy::pedantic)]
            fn names() { #(#names)* }
        }
    };
    (select_levels(&head.attributes, &UNUSED), Some(module))
}

fn select_levels<'a>(attributes: &'a [Attribute], lints: &[&str]) -> Vec<&'a Attribute> {
    attributes
        .iter()
        .filter(|attribute| sets_level(attribute, lints))
        .collect()
}

fn write_unused_name(unused: &Unused) -> TokenStream {
    let name = &unused.name;
    let levels = select_levels(&unused.attributes, &UNUSED);
    quote!(#(#levels)* let #name = __Value;)
}

/// A use of a deprecated macro at the token. The deprecation note is the warning, and the name of the macro names
/// the lint.
fn write_warning(warning: &Warning, levels: &[&Attribute]) -> TokenStream {
    let levels_of_item = select_levels(&warning.attributes, &DEPRECATED);
    let note = warning.shown();
    // At the token, but with the hygiene of this call site: the token may come from a macro of the user.
    let place = warning.span.resolved_at(Span::call_site());
    let [name, used] = [Span::call_site(), place].map(|span| Ident::new(warning.name, span));
    quote! {
        #(#levels)*
        #(#levels_of_item)*
        const _: () = {
            #[deprecated(note = #note)]
            macro_rules! #name { () => {}; }
            #used! {}
        };
    }
}
