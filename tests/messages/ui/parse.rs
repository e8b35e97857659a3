mod assigned_expressions {
    //! mistake: `x.y`, `(x)` behind `f` and `x + 1`; only a name can be assigned to, without arguments

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        x.y = 2;
        f(x) = x^2;
        x + 1 = 2;
        T = m * der(x)^2 / 2;
    }
}

mod attributes {
    //! mistake: each attribute on its own line; they would be dropped, and the term would act all the same

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            #[cfg(windows)]
            x: coordinate,
            #[serde(skip)]
            u: input,
            #[cfg_attr(unix, allow(dead_code))]
            m: parameter,
        }
        #[cfg(feature = "friction")]
        D = m * der(x)^2;
        #[inline]
        T = m * der(x)^2 / 2;
        #[cfg(test)]
        pub let place = x;
        Q.x = u;
    }
}

mod bundle_without_name {
    //! mistake: `bundle`, which lacks its name

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        bundle { bias, momenta }
    }
}

mod comparisons {
    //! mistake: `<` of the `let`, the second `<` of a chain, `&&`, `=` in a condition: comparisons stand in conditions, one in each

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = x < m;
        let b = if 0 < x < m { 1 } else { 2 };
        let c = if 0 < x && x < m { 1 } else { 2 };
        let d = if x = m { 1 } else { 2 };
        let e = if x { 1 } else { 2 };
        T = m * der(x)^2 / 2;
    }
}

mod dangling_attribute {
    //! mistake: the doc comment at the end; it belongs to nothing

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        /// The energy of position.
    }
}

mod default_on_coordinate {
    //! mistake: `= 0`; only parameters have defaults

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate = 0, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod default_on_input {
    //! mistake: `= 1.5`; only parameters have defaults

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, u: input = 1.5 }
        T = der(x)^2 / 2;
        Q.x = u;
    }
}

mod derive_default {
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

    fn uses() {
        let _ = Wagon::<f64>::default().clone();
        let _ = format!("{:?}", Cart::<f64>::default().clone());
    }
}

mod double_equals {
    //! mistake: `==`; a statement has one `=`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T == m * der(x)^2 / 2;
    }
}

mod double_star {
    //! mistake: `**`; a power is written with `^`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x) ** 2 / 2;
    }
}

mod empty {
    //! mistake: the invocation; expected `struct`

    use lagrangian::lagrangian;

    lagrangian! {}
}

mod energy_with_arguments {
    //! mistake: `(x)` and `(x, v)`; energies take no arguments

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T(x, v) = m * der(x)^2 / 2;
        V(x) = m * x;
    }
}

mod enum_item {
    //! mistake: `enum`; a system is a `struct`

    use lagrangian::lagrangian;

    lagrangian! {
        pub enum Cart { X, Y }
        T = m * der(x)^2 / 2;
    }
}

mod expression_alone {
    //! mistake: `m * x`; an expression alone has no effect

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        m * x;
    }
}

mod field_among_statements {
    //! mistake: `k`; fields stand between the braces

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        k: parameter;
        T = m * der(x)^2 / 2;
    }
}

mod field_called_like_a_keyword {
    //! mistake: `type`; as a name it is `r#type`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, type: parameter }
        T = der(x)^2 / 2;
    }
}

mod force_without_coordinate {
    //! mistake: `Q`; it needs a coordinate

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q = u;
    }
}

mod force_without_point {
    //! mistake: the `;` of the force; expected `at`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        force [u, 0];
    }
}

mod generics {
    //! mistake: `<S>`; the macro adds the scalar type

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart<S> { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod hessian {
    //! mistake: each `#[hessian]` but the first; it asks for the second derivatives of an output

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            #[hessian]
            x: coordinate,
            #[hessian]
            m: parameter,
        }
        #[hessian]
        pub let fine = x^2;
        #[hessian]
        #[hessian]
        pub let twice = x^2;
        #[hessian(full)]
        pub let asked = x^2;
        #[hessian]
        let private = x^2;
        #[hessian]
        pub frame hand = world.translate([private, 0, 0]);
        #[hessian]
        T = m * der(x)^2 / 2;
        #[hessian]
        for i in 0..1 { V += i * x; }
    }
}

mod if_statement {
    //! mistake: `if`; it is an expression

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        if x > 0 { V = m * x; }
    }
}

mod if_without_else {
    //! mistake: `if`, which has no `else`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = if x > 0 { m * x };
    }
}

mod implicit_product {
    //! mistake: `x` behind `2`; a product is written with `*`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = 2 x;
    }
}

mod let_forms {
    //! mistake: `(a, b)`, `: f64`, `d`, `: f64` again and `+=`; a `let` is one name and a value, no function is an output

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let (a, b) = [x, m];
        let c: f64 = x;
        pub let d(s: f64) = s;
        let e += x;
        T = m * der(x)^2 / 2 + a + b + c + d(x) + e;
    }
}

mod let_without_value {
    //! mistake: the `;` of the first `let`: expected `=`; nothing about the use of the name

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a;
        T = (m + a) * der(x)^2 / 2;
    }
}

mod many_mistakes {
    //! mistakes: `f64`, the `;` between fields, `**`, the missing `;` behind `x`, `m` behind `2`, `let (a, b)`, the lone `;`: one message each

    use lagrangian::lagrangian;

    lagrangian! {
        pub struct Cart {
            x: coordinate,
            m: f64,
            k: parameter;
            u: input,
        }
        pub let height = 2 * x
        let (a, b) = [x, m];
        T = m * der(x) ** 2 / 2;
        V = k * x^2 / 2 m;
        D = ;
        Q.x = u + a + b;
    }

    fn uses() {
        let cart = Cart { m: 1.0, k: 2.0 };
        let (q, v, u) = (Default::default(), Default::default(), Default::default());
        let _ = cart.height(&q);
        let _ = cart.acceleration(&q, &v, &u);
    }
}

mod missing_comma {
    //! mistake: `coordinate`; a `,` is missing behind it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            x: coordinate
            m: parameter,
        }
        T = m * der(x)^2 / 2;
    }
}

mod missing_last_semicolon {
    //! mistake: the last `2`; a `;` is missing behind it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2
    }
}

mod missing_operand {
    //! mistake: `;`, `)` and `,`: expected an expression

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = m + ;
        let b = (m * );
        let c = [, m];
        T = m * der(x)^2 / 2;
    }
}

mod missing_role {
    //! mistake: `m`; it has no role

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m }
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let _ = Cart { m: 1.0 };
    }
}

mod missing_semicolon {
    //! mistake: the `2` that ends the first statement; a `;` is missing behind it

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m, k: parameter }
        T = m * der(x)^2 / 2
        V = k * x^2 / 2;
    }
}

mod nested_too_deep {
    //! mistake: the token of level 129; to be split by a `let`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
            ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
            (x))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
            )))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
    }
}

mod number_suffixes {
    //! mistake: `3kg` and `1.5u8`; no numbers

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = x * 3kg + x * 1.5u8;
    }
}

mod number_with_a_name {
    //! mistake: `2x`; a product is written with `*`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
        V = m * 2x;
    }
}

mod options_of_the_struct {
    //! mistake: options that are none, come twice or take no value; `L` has no Coriolis matrix

    use lagrangian::lagrangian;

    lagrangian! {
        #[lagrangian(coriolis_matrix, coriolis_matrix)]
        struct Twice { x: coordinate }
        T = der(x)^2 / 2;
    }

    lagrangian! {
        #[lagrangian(coriolis_matrix = true)]
        struct Value { x: coordinate }
        T = der(x)^2 / 2;
    }

    lagrangian! {
        #[lagrangian(coriolis_matrix)]
        struct Lagrangian { x: coordinate }
        L = der(x)^2 / 2;
    }
}

mod pub_energy {
    //! mistake: `pub`; only a `let` can be public

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        pub T = m * der(x)^2 / 2;
    }
}

mod pub_field {
    //! mistake: `pub`; parameters are public anyway

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, pub m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod rust_expressions {
    //! mistake: `as`, `%`, `::`, `&`, `"a"`, `{`, `!`, the `1` behind the dot, `|` and `(`, one on each line: no expressions of the language

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = x as f64;
        let b = x % 2;
        let c = f64::sin(x);
        let d = &x;
        let e = "a";
        let f = { x };
        let g = !x;
        let h = [x, m].1;
        let i = |x| x;
        let j = (x, m);
        T = m * der(x)^2 / 2;
    }
}

mod rust_items {
    //! mistake: `fn`, `use`, `while` and `return`; Rust's items are no statements

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        fn height(x: f64) -> f64 { x }
        use std::f64::consts::PI;
        while x < 2 { x += 1; }
        return x;
        T = m * der(x)^2 / 2;
    }
}

mod rust_type {
    //! mistake: `f64`; a Rust type in place of a role

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: f64 }
        T = m * der(x)^2 / 2;
    }
}

mod semicolon_between_fields {
    //! mistake: `;`; to be a `,`

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate; m: parameter }
        T = m * der(x)^2 / 2;
    }
}

mod size_on_name {
    //! mistake: `[2]` behind the name; it belongs to the role

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x[2]: coordinate }
        T = der(x)^2 / 2;
    }
}

mod struct_keyword_missing {
    //! mistake: `Cart`; missing `struct` before it, and nothing about its uses

    use lagrangian::lagrangian;

    lagrangian! {
        Cart { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }

    fn uses() {
        let _ = Cart { m: 1.0 };
    }
}

mod sum_range {
    //! mistake: `0` where a variable is missing, and the `)` of the sum without an expression

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter }
        let a = sum(0..2, x);
        let b = sum(i in 0..2);
        T = m * der(x)^2 / 2;
    }
}

mod surplus_sizes {
    //! mistake: `4`, `3`, `[2]` of the time and the second brackets; a role has only so many sizes

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart {
            x: coordinate,
            a: parameter[2, 3, 4],
            u: input[2, 3],
            t: time[2],
            b: parameter[2][3],
        }
        T = der(x)^2 / 2;
    }
}

mod symmetry_equals {
    //! mistake: `=` where `->` belongs

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        symmetry along: x = 1;
    }
}

mod symmetry_without_name {
    //! mistake: `x` where the name of the symmetry belongs

    use lagrangian::lagrangian;

    lagrangian! {
        struct Pole { x, theta: coordinate, m, l: parameter, u: input }
        T = der(x)^2 / 2 + m * l^2 * der(theta)^2 / 2;
        V = -m * l * cos(theta);
        Q.x = u;
        symmetry x -> 1;
    }
}

mod tuple_struct {
    //! mistake: `(f64)`; fields have names

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart(f64);
        T = der(x)^2 / 2;
    }
}

mod unit_struct {
    //! mistake: `;` behind the name; a system has fields

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart;
        T = der(x)^2 / 2;
    }
}

mod unknown_option {
    //! mistake: `carte`; the only option is `crate`

    use lagrangian::lagrangian;

    lagrangian! {
        #[lagrangian(carte = ::lagrangian)]
        struct Cart { x: coordinate }
        T = der(x)^2 / 2;
    }
}

mod where_clause {
    //! mistake: `where .. Copy`; to be removed

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart where f64: Copy { x: coordinate, m: parameter }
        T = m * der(x)^2 / 2;
    }
}

fn main() {}
