//! `for` and `sum`.

use std::time::{Duration, Instant};

use lagrange_engine::{Dynamics, Energy, Quantity};

use super::*;

#[test]
fn bodies_are_unrolled() {
    for (statements, expected) in [
        ("let mut n = 0; for i in 0..4 { n += i; }", 6.0),
        ("let mut n = 0; for i in -2..1 { n -= 2 * i; }", 6.0),
        ("let mut n = 1; for i in 1..6 { n *= i; }", 120.0),
        ("let mut n = 1; for i in 1..3 { n /= 2^i; }", 0.125),
        (
            "let mut n = 0; for i in 0..3 { for j in i..2 * i + 1 { n += 10 * i + j; } }",
            // j takes the values 0; 1, 2; 2, 3, 4.
            0.0 + 11.0 + 12.0 + 22.0 + 23.0 + 24.0,
        ),
        (
            "let mut n = 0; for i in 0..3 { let w = n + i; let w = 2 * w; n = w; }",
            // 0, 2, 8
            8.0,
        ),
        // A `let` of the body hides an outer one until the end of the iteration.
        (
            "let w = 100; let mut n = 0; for i in 0..2 { n += w; let w = i; n += w; } n += w;",
            301.0,
        ),
        // Consecutive loops may have the same variable.
        (
            "let mut n = 0; for i in 0..2 { n += 1; } for i in 0..2 { n += i; }",
            3.0,
        ),
        ("let mut n = sum(i in 0..4, i^2);", 14.0),
        ("let mut n = sum(i in 1..4, sum(j in 0..i, j));", 4.0),
        ("let mut n = sum(i in 1..3, [i, 2 * i]).y;", 6.0),
        ("let mut n = sum(i in 1..3, i * identity(2))[1, 1];", 3.0),
        ("let mut n = [7, 8, 9][sum(i in 0..2, 2 * i)];", 9.0),
    ] {
        let (_, values) = output(statements, "n");
        assert_close(&values, &[expected], statements);
    }
}

#[test]
fn loops_run_over_arrays() {
    let source = "struct S { r: coordinate[3], k: parameter[3], u: input[3] } \
         for i in 0..3 { T += der(r[i])^2 / 2; V += k[i] * r[i]^2 / 2; D += r\u{307}[i]^2; \
         Q.r[i] = u[i] * (i + 1); } \
         pub let s = sum(i in 0..3, k[i] * r[i]);";
    let mut lowered = system(source);
    let Energy::Natural { kinetic, potential } = lowered.whole_energy() else {
        panic!("T and V were given");
    };
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) | Symbol::Input(i) => f64::from(i) + 1.0,
        Symbol::Velocity(i) | Symbol::Parameter(i) => f64::from(i) + 2.0,
        _ => f64::NAN,
    };
    let mut roots = vec![kinetic, potential, lowered.dissipation];
    roots.extend(&lowered.forces);
    roots.extend(&lowered.outputs[0].entries);
    let values = lowered.graph.evaluate(&roots, &value);
    assert_close(
        &values,
        &[14.5, 25.0, 29.0, 1.0, 4.0, 9.0, 20.0],
        "loops over arrays",
    );
}

/// A pendulum of equal rods with `for`, and the same system written out.
fn pendulums(n: usize) -> (String, String) {
    let by_loop = format!(
        "struct P {{ q: coordinate[{n}], m, l: parameter[{n}], g: parameter }} \
         let mut x = 0; let mut y = 0; \
         for i in 0..{n} {{ x += l[i] * sin(q[i]); y -= l[i] * cos(q[i]); \
         T += m[i] * der([x, y])^2 / 2; V += m[i] * g * y; }}"
    );
    let list = |name: &str| {
        let names: Vec<String> = (0..n).map(|i| format!("{name}{i}")).collect();
        names.join(", ")
    };
    let (q, m, l) = (list("q"), list("m"), list("l"));
    let mut scalar = format!(
        "struct P {{ {q}: coordinate, {m}: parameter, {l}: parameter, g: parameter }} \
                 let mut x = 0; let mut y = 0;"
    );
    for i in 0..n {
        scalar.push_str(&format!(
            "x += l{i} * sin(q{i}); y -= l{i} * cos(q{i}); \
             T += m{i} * der([x, y])^2 / 2; V += m{i} * g * y;"
        ));
    }
    (by_loop, scalar)
}

#[test]
fn a_chain_by_a_loop_is_the_chain_written_out() {
    let value = |symbol: Symbol| match symbol {
        Symbol::Coordinate(i) => 0.3 + 0.1 * f64::from(i),
        Symbol::Velocity(i) => 0.7 - 0.2 * f64::from(i),
        Symbol::Parameter(i) => 1.0 + 0.01 * f64::from(i),
        _ => f64::NAN,
    };
    let (by_loop, scalar) = pendulums(5);
    let (by_loop, scalar) = (
        Dynamics::new(system(&by_loop)),
        Dynamics::new(system(&scalar)),
    );
    let values = |dynamics: &Dynamics| {
        let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
        let operations = program.operations().total();
        let values = program.graph.evaluate(&program.expressions, &value);
        (values, operations)
    };
    assert_eq!(values(&by_loop), values(&scalar));
}

#[test]
fn twenty_links_cost_what_the_recursion_costs() {
    let dynamics = Dynamics::new(system(&pendulums(20).0));
    let program = dynamics.program(&[Quantity::MassMatrix, Quantity::Forcing]);
    assert_eq!(program.operations().total(), 1008);
}

#[test]
fn constraints_in_loops_are_indexed() {
    let lowered = system(
        "struct S { r: coordinate[3], p: coordinate[2] } T = der(r)^2 + der(p)^2; \
         for i in 1..3 { holonomic step: r[i] - r[i - 1] = 1; }",
    );
    let names: Vec<&str> = lowered.constraints.iter().map(|c| &c.name[..]).collect();
    assert_eq!(names, ["step[1]", "step[2]"]);
    let lowered = system(
        "struct S { R: coordinate[2, 2], p, q: coordinate[2] } \
         T = trace(transpose(der(R)) * der(R)) + der(p)^2 + der(q)^2; \
         for i in 0..2 { for j in 0..2 { holonomic a: R[i, j] = i + j; } } \
         for i in 0..1 { nonholonomic b: der(p) = [0, der(q.x)]; holonomic c: q.y = 1; }",
    );
    let names: Vec<&str> = lowered.constraints.iter().map(|c| &c.name[..]).collect();
    assert_eq!(
        names,
        [
            "a[0, 0]", "a[0, 1]", "a[1, 0]", "a[1, 1]", "b[0][0]", "b[0][1]", "c[0]"
        ]
    );
}

#[test]
fn mistakes_of_constraints_in_loops_are_told_once() {
    let head = "struct S { r: coordinate[3] } T = der(r)^2;";
    for (statements, message) in [
        (
            "for i in 0..3 { holonomic c: r.x = i; }",
            "c: the constraint `c[1]` contradicts `c[0]`",
        ),
        (
            "for i in 0..3 { holonomic c: 1 = 1; }",
            "c: the constraint `c[0]` is trivially true",
        ),
        (
            "for i in 0..3 { holonomic c: der(r[i]) = 0; }",
            "der: velocity: a `holonomic` constraint",
        ),
        (
            "for i in 0..2 { holonomic c: r[i] = 0; } holonomic c: r[2] = 0;",
            "c: duplicate name: `c` is already a constraint",
        ),
    ] {
        let messages = mistakes(&format!("{head} {statements}"));
        assert_eq!(messages.len(), 1, "{statements}: {messages:#?}");
        assert!(
            messages[0].starts_with(message),
            "{statements}: {messages:#?}"
        );
    }
    // One report for a statement whose constraints can be integrated.
    let source = format!("{head} for i in 0..2 {{ nonholonomic c: der(r[i]) = 1; }}");
    let (_, lowered, errors) = run(&source);
    assert_eq!(describe(&errors), Vec::<String>::new());
    assert_eq!(lowered.findings.warnings.len(), 1);
    assert!(
        lowered.findings.warnings[0]
            .message
            .starts_with("the constraint `c` is integrable")
    );
}

#[test]
fn mistakes_in_bodies_are_told_once() {
    for (statements, expected) in [
        (
            "for i in 0..4 { V += [x, y][i]; }",
            vec!["i: index out of bounds: 2 of 2 (i = 2) | the first entry is 0, the last one 1"],
        ),
        (
            "for i in 0..2 { for j in 0..2 { V += [x, y][i + j + 1]; } }",
            vec![
                "i..1: index out of bounds: 2 of 2 (i = 0, j = 1) | \
                 the first entry is 0, the last one 1",
            ],
        ),
        (
            "for i in 0..3 { V += x / (i - 1); }",
            vec!["(..): division by zero (i = 1)"],
        ),
        (
            "for i in 0..3 { V += foo; } D = foo;",
            vec![
                "foo: unknown name `foo` | declare it among the fields, `foo: parameter`, or before this by `let foo = ..;`",
            ],
        ),
        // The rest of the body is still checked.
        (
            "for i in 0..3 { V += bar; V += [x, y][i]; }",
            vec![
                "bar: unknown name `bar` | declare it among the fields, `bar: parameter`, or before this by `let bar = ..;`",
                "i: index out of bounds: 2 of 2 (i = 2)",
            ],
        ),
        (
            "V = x; for i in 0..3 { V = i; }",
            vec!["V: `V` is given twice | add to it with `+=`"],
        ),
        (
            "for i in 0..3 { V = i * x; }",
            vec!["V: `V` is given twice | add to it with `+=`"],
        ),
        (
            "for i in 0..2 { pub let p = x; }",
            vec![
                "p: an output cannot be declared in a loop | collect its value in a `let mut` before \
                 the loop, and declare the output after the loop",
            ],
        ),
        (
            "for i in 0..2 { let p = x; } V = p * p;",
            vec![
                "p: `p` was declared in a loop and ended with the iteration | \
                 declare `let mut p = ..;` before the loop, and assign to it there",
            ],
        ),
        (
            "for i in 0..2 { V += i * x; } D = i;",
            vec!["i: `i` is the variable of a loop and ends with it"],
        ),
        (
            "for x in 0..2 { V += x; }",
            vec!["x: duplicate name: `x` is already a coordinate | choose another name"],
        ),
        (
            "for i in 0..2 { for i in 0..2 { V += i; } }",
            vec!["i: duplicate name: `i` is already a loop variable | choose another name"],
        ),
        (
            "for i in 0..2 { let i = 3; V += i; }",
            vec!["i: duplicate name: `i` is already a loop variable | choose another name"],
        ),
        (
            "for i in 0..2 { i = 3; }",
            vec!["i: `i` is a loop variable: each iteration has the next value of it"],
        ),
        (
            "for i in 0..2 { V += w; let w = x; }",
            vec!["w: `w` is used before its declaration | move its `let` up to before this"],
        ),
        (
            "for i in 0..2 { V += u * i; }",
            vec![
                "u: the input `u` may not occur in `V` | give its force by `Q.x = ..;` or `force F at p;`; a motion given in time is a function of time: declare `t: time`",
            ],
        ),
        (
            "for i in 0..2 { T += der(x)^3; }",
            vec![
                "T..3: `T` is not a polynomial of degree 2 or less in the velocities | \
                 give the whole Lagrangian as `L = ..`, which may be any function",
            ],
        ),
    ] {
        let messages = mistakes_of(statements);
        assert_eq!(
            messages.len(),
            expected.len(),
            "{statements}: {messages:#?}"
        );
        for (messages, expected) in messages.iter().zip(expected) {
            assert!(
                messages.starts_with(expected),
                "{statements}: {messages:#?}"
            );
        }
    }
}

#[test]
fn mistakes_in_sums_are_told_once() {
    for (expression, expected) in [
        (
            "sum(i in 0..4, [x, y][i])",
            "i: index out of bounds: 2 of 2 (i = 2) | the first entry is 0, the last one 1",
        ),
        (
            "sum(i in 0..2, if i < 1 { x } else { y }) + sum(i in 0..2, zeta)",
            "zeta: unknown name `zeta` | declare it among the fields, `zeta: parameter`, or before this by `let zeta = ..;`",
        ),
        ("sum(i in 0..2, i).x", "x: a scalar has no component `x`"),
        (
            "sum(i in 2..2, i)",
            "2..2: no number lies in this range: it runs from 2 to 2, exclusive | \
             a range `a..b` has b > a",
        ),
        (
            "sum(a in 0..2, a)",
            "a: duplicate name: `a` is already a parameter | choose another name",
        ),
        (
            "sum(i in 0..2, i) + i",
            "i: `i` is the variable of a loop and ends with it",
        ),
        (
            "sum(i in 0..y, i)",
            "y: the bound of a loop is a constant integer",
        ),
        (
            "sum(i in 0..3/2, i)",
            "3..2: the bound of a loop is a constant integer",
        ),
    ] {
        let messages = mistakes_in(expression);
        assert_eq!(messages.len(), 1, "{expression}: {messages:#?}");
        assert!(
            messages[0].starts_with(expected),
            "{expression}: {messages:#?}"
        );
    }
}

#[test]
fn bounds_are_constant_and_the_body_is_looked_at_all_the_same() {
    for (head, expected) in [
        (
            "for i in 3..1",
            "3..1: no number lies in this range: it runs from 3 to 1, exclusive | \
             a range `a..b` has b > a",
        ),
        (
            "for i in 0..a",
            "a: the bound of a loop is a constant integer",
        ),
        (
            "for i in 0..1000000000",
            "0..1000000000: `for` over `i` is too long to unroll: it has 1000000000 iterations, all \
             loops of a declaration together at most 32768",
        ),
        (
            "for i in 0..u",
            "u: the bound of a loop is a constant integer",
        ),
    ] {
        let messages = mistakes_of(&format!(
            "{head} {{ V += foo * [x, y][i]; let w = 1 / 0; }}"
        ));
        assert_eq!(
            messages,
            [
                expected,
                "foo: unknown name `foo` | declare it among the fields, `foo: parameter`, or before this by `let foo = ..;`",
                "0: division by zero"
            ],
            "{head}"
        );
    }
    assert_eq!(
        mistakes_of("for i in 0..3 { for j in i..2 { V += j * x; } }"),
        [
            "i..2: no number lies in this range: it runs from 2 to 2, exclusive (i = 2) | \
             a range `a..b` has b > a"
        ]
    );
}

#[test]
fn budgets_end_the_work_at_once() {
    let start = Instant::now();
    let pairs = "for i in 0..1000 { for j in 0..1000 { V += x; } }";
    let messages = mistakes_of(pairs);
    assert_eq!(
        messages,
        [
            "0..1000: the loops are too long to unroll: with this `for` over `j` they have more than \
             32768 iterations together"
        ]
    );
    for (statements, message) in [
        (
            "let mut n = [x, y]; for i in 0..30000 { n += sin(n.x) * n + [i, cos(n.y)]; } V = n.x;",
            "n: `n` makes the system too large: more than 3000 expressions that are functions of \
             functions, 64 deep or more",
        ),
        (
            "V = sum(i in 0..30000, sin(i * x));",
            "sin..): `V` makes the system too large: more than 50000 distinct expressions",
        ),
        (
            "V = sum(i in 0..20000, sum(j in 0..2, i)) * x;",
            "0..2: the loops are too long to unroll: with this `sum` over `j` they have more than \
             32768 iterations together",
        ),
        (
            "for i in 0..30000 { holonomic c: x = y; }",
            "c: the constraint `c[1]` repeats `c[0]`",
        ),
    ] {
        let messages = mistakes_of(statements);
        assert_eq!(messages.len(), 1, "{statements}: {messages:#?}");
        assert!(
            messages[0].starts_with(message),
            "{statements}: {messages:#?}"
        );
    }
    let coupled = mistakes(
        "struct S { r: coordinate[256] } let mut x = 0; \
         for i in 0..256 { x += sin(r[i]); for j in 0..10 { T += der(x * j)^2; } }",
    );
    assert_eq!(
        coupled,
        [
            "T: `T` makes the system too large: more than 250000 pairs of an expression and a \
             coordinate that it depends on"
        ]
    );
    assert!(
        start.elapsed() < Duration::from_secs(30),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn what_any_iteration_reads_is_used() {
    let (_, lowered, errors) = run(&format!(
        "{HEAD} {KINETIC} for i in 0..3 {{ let w = a * x; let z = b * u; let s = t; \
         V += if i < 2 {{ 0 }} else {{ w }}; for j in 0..2 {{ let c = i; let d = j; V += d * s * x; }} }}"
    ));
    assert_eq!(describe(&errors), Vec::<String>::new());
    let unused: Vec<String> = lowered
        .tables
        .unused
        .iter()
        .map(|u| u.name.to_string())
        .collect();
    assert_eq!(unused, ["z", "c"]);
}

#[test]
fn a_force_in_a_loop_warns_once() {
    let (_, lowered, errors) = run(
        "struct S { r: coordinate[3], k: parameter[3] } T = der(r)^2; \
         for i in 0..3 { V += k[i] * r[i]^2 / 2; Q.r[i] = -k[i] * r[i]; }",
    );
    assert_eq!(describe(&errors), Vec::<String>::new());
    assert_eq!(lowered.findings.warnings.len(), 1);
}

#[test]
fn iterations_are_unrolled_up_to_a_depth() {
    for step in [
        "a = y * a * (1 - a)",
        "a = sin(a) + a * y",
        "a = a - (a^2 - y) / (2 * a)",
        "a *= y + i * x",
        "a = abs(a)",
    ] {
        let source = |steps: u32| {
            format!(
                "struct S {{ x, y: coordinate }} T = der(x)^2 + der(y)^2; \
                 let mut a = x; for i in 0..{steps} {{ {step}; }} V = a;"
            )
        };
        assert_eq!(mistakes(&source(60)), Vec::<String>::new(), "{step}");
        let messages = mistakes(&source(8_000));
        let expected = match step {
            "a = abs(a)" => None,
            _ => Some("makes the system too large: more than 3000 expressions that are functions"),
        };
        assert_eq!(
            messages.len(),
            usize::from(expected.is_some()),
            "{step}: {messages:?}"
        );
        assert!(
            messages.iter().all(|f| f.contains(expected.unwrap())),
            "{step}: {messages:?}"
        );
    }
}
