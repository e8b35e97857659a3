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

mod empty {
    //! mistake: the invocation; expected `struct`

    use lagrangian::lagrangian;

    lagrangian! {}
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

mod force_without_coordinate {
    //! mistake: `Q`; it needs a coordinate

    use lagrangian::lagrangian;

    lagrangian! {
        struct Cart { x: coordinate, m: parameter, u: input }
        T = m * der(x)^2 / 2;
        Q = u;
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

fn main() {}
