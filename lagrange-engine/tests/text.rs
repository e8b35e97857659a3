//! Text and LaTeX: exactly as expected, within budgets, and never out of bounds.

use crate::cases::cases;
use std::cell::RefCell;

use crate::random::expr::Expr;
use lagrange_engine::{
    Binary, Comparison, Graph, MultibodyError, NodeId, Number, ParseErrorKind, Symbol, System,
    Unary, plain_names,
};
use proptest::prelude::*;

/// x, y, v as they are named in the tables below.
fn name(symbol: Symbol) -> String {
    match symbol {
        Symbol::Coordinate(0) => "theta".into(),
        Symbol::Velocity(0) => "theta'".into(),
        Symbol::Parameter(0) => "m_c".into(),
        other => plain_names(other),
    }
}

type Row = (fn(Expr, Expr, Expr) -> NodeId, &'static str, &'static str);

const ROWS: &[Row] = &[
    (
        |x, _, v| (x * v * 2).id,
        "2*theta*theta'",
        r"2 \theta \dot{\theta}",
    ),
    (|x, m, _| (x - m).id, "theta - m_c", r"\theta - m_{c}"),
    (|x, m, _| (m - x).id, "m_c - theta", r"m_{c} - \theta"),
    (|x, m, _| (x / m).id, "theta/m_c", r"\frac{\theta}{m_{c}}"),
    (
        |x, m, v| (x / (m * v)).id,
        "theta/(theta'*m_c)",
        r"\frac{\theta}{\dot{\theta} m_{c}}",
    ),
    (
        |x, _, _| x.powi(-2).id,
        "1/theta^2",
        r"\frac{1}{{\theta}^{2}}",
    ),
    (
        |x, _, _| (x.powi(2) / 2).id,
        "theta^2/2",
        r"\frac{{\theta}^{2}}{2}",
    ),
    (
        |x, m, _| ((x + m).powi(2)).id,
        "(theta + m_c)^2",
        r"{\left(\theta + m_{c}\right)}^{2}",
    ),
    (
        |x, m, _| ((x + m) * x).id,
        "theta*(theta + m_c)",
        r"\theta \left(\theta + m_{c}\right)",
    ),
    (
        |x, _, _| (x.sin().powi(2)).id,
        "sin(theta)^2",
        r"\sin^{2}\left(\theta\right)",
    ),
    (
        |x, _, _| (x.number(-3, 2) * x).id,
        "-3*theta/2",
        r"-\frac{3 \theta}{2}",
    ),
    (
        |x, _, _| (x * x.number(981, 100)).id,
        "9.81*theta",
        r"9.81 \theta",
    ),
    (
        |x, _, _| (x.powi(2) - 1).id,
        "theta^2 - 1",
        r"{\theta}^{2} - 1",
    ),
    (|x, _, _| x.number(-1, 3).id, "-1/3", r"-\frac{1}{3}"),
    (|x, _, _| (x / x.number(0, 1)).id, "1/0", r"\frac{1}{0}"),
    (|x, m, _| x.pow(m).id, "theta^m_c", r"{\theta}^{m_{c}}"),
    (
        |x, m, _| x.pow(m / 3).powi(2).id,
        "(theta^(m_c/3))^2",
        r"{\left({\theta}^{\frac{m_{c}}{3}}\right)}^{2}",
    ),
    (|x, _, _| (x.pi() * 2).id, "2*pi", r"2 \pi"),
    (|x, _, _| x.sqrt().id, "sqrt(theta)", r"\sqrt{\theta}"),
    (
        |x, _, _| (x + 1).abs().id,
        "abs(theta + 1)",
        r"\left|\theta + 1\right|",
    ),
    (
        |x, m, _| x.binary(Binary::Atan2, m).id,
        "atan2(theta, m_c)",
        r"\operatorname{atan2}\left(\theta, m_{c}\right)",
    ),
    (
        |x, m, v| x.less(m, v, x.select(Comparison::LessEqual, m, m, x)).id,
        "if theta < m_c { theta' } else if theta <= m_c { m_c } else { theta }",
        r"\begin{cases} \dot{\theta} & \text{if } \theta < m_{c} \\ \begin{cases} m_{c} & \text{if } \theta \le m_{c} \\ \theta & \text{otherwise} \end{cases} & \text{otherwise} \end{cases}",
    ),
    (
        |x, m, _| (x.less(m, x, m) * x).id,
        "theta*(if theta < m_c { theta } else { m_c })",
        r"\theta \left(\begin{cases} \theta & \text{if } \theta < m_{c} \\ m_{c} & \text{otherwise} \end{cases}\right)",
    ),
];

#[test]
fn expressions_are_written_as_expected() {
    for (make, text, latex) in ROWS {
        let graph = RefCell::new(Graph::new());
        let symbols = [
            Symbol::Coordinate(0),
            Symbol::Velocity(0),
            Symbol::Parameter(0),
        ];
        let [x, v, m] = symbols.map(|symbol| Expr::symbol(&graph, symbol));
        let root = make(x, m, v);
        let graph = graph.borrow();
        assert_eq!(&graph.text(root, &name), text);
        assert_eq!(&graph.latex(root, &name), latex);
    }
}

#[test]
fn names_become_letters_with_indices() {
    for (name, expected) in [
        ("x", "x"),
        ("theta", r"\theta"),
        ("θ", r"\theta"),
        ("m_c", "m_{c}"),
        ("m_c_1", "m_{c,1}"),
        ("q10", "q_{10}"),
        ("R[0, 1]", "R_{0,1}"),
        ("phi_max", r"\phi_{\mathrm{max}}"),
        ("mass", r"\mathrm{mass}"),
        ("_", "_"),
        ("theta_1'", r"\dot{\theta}_{1}"),
        ("leg_hip'", r"\dot{\mathrm{leg}_{\mathrm{hip}}}"),
    ] {
        let mut graph = Graph::new();
        let x = graph.symbol(Symbol::Coordinate(0));
        assert_eq!(graph.latex(x, &|_| name.into()), expected);
    }
}

#[test]
fn numbers_are_written_as_they_were_read() {
    let text = |number: Number| {
        let mut graph = Graph::new();
        let root = graph.number(number);
        graph.text(root, &plain_names)
    };
    for read in ["9.81", "0.1", "0.001", "12.5e-3", "3", "-4.9"] {
        let number = Number::parse(read).unwrap();
        let shown = text(number);
        assert_eq!(Number::parse(&shown), Some(number), "{read} as {shown}");
    }
    assert_eq!(text(Number::parse("9.81").unwrap()), "9.81");
    assert_eq!(text(Number::parse("-4.9").unwrap()), "-4.9");
    assert_eq!(text(Number::parse("12.5e-3").unwrap()), "0.0125");
    assert_eq!(text(Number::rational(1, 4).unwrap()), "1/4");
    assert_eq!(text(Number::rational(1, 30).unwrap()), "1/30");
}

#[test]
fn formulas_show_six_digits() {
    let latex = |number: Number| {
        let mut graph = Graph::new();
        let root = graph.number(number);
        graph.latex(root, &plain_names)
    };
    for (read, expected) in [
        ("9.80665", "9.80665"),
        ("2.1287699999999998", "2.12877"),
        ("0.12345678", "0.123457"),
        ("-0.99999999", "-1"),
        ("1234567", "1234567"),
        ("1234567.25", r"1.23457 \cdot 10^{6}"),
        ("6.67430e-11", r"6.6743 \cdot 10^{-11}"),
        ("-4.722222222222222e-16", r"-4.72222 \cdot 10^{-16}"),
    ] {
        assert_eq!(latex(Number::parse(read).unwrap()), expected, "{read}");
    }
    assert_eq!(latex(Number::float(2.12877_f64.next_down())), "2.12877");
    assert_eq!(latex(Number::rational(1, 30).unwrap()), r"\frac{1}{30}");
    assert_eq!(
        latex(Number::rational(123_456_789, 7).unwrap()),
        r"1.76367 \cdot 10^{7}"
    );
}

/// s <- sin(s)^2 + s^3 + s + x: written out, each step is three times as long as the one before.
fn swelling(graph: &mut Graph, steps: usize) -> NodeId {
    let x = graph.symbol(Symbol::Coordinate(0));
    (0..steps).fold(x, |s, _| {
        let sine = graph.unary(Unary::Sin, s);
        let (square, cube) = (graph.powi(sine, 2), graph.powi(s, 3));
        graph.total([square, cube, s, x])
    })
}

#[test]
fn names_keep_swelling_expressions_short() {
    let mut graph = Graph::new();
    let root = swelling(&mut graph, 30);
    let text = graph.text_of_all(&[("T", root)], &plain_names, 600);
    assert!(text.len() < 2500, "{text}");
    assert_eq!(text.lines().last().map(|line| &line[..4]), Some("T = "));
    // Written out it is cut, and LaTeX does not end in the middle of a group.
    assert!(graph.text(root, &plain_names).ends_with(" ..."));
    assert_eq!(graph.latex(root, &plain_names), r"\ldots");
}

#[test]
fn beyond_the_hard_limit_the_rest_is_counted() {
    let mut graph = Graph::new();
    let root = swelling(&mut graph, 60);
    let text = graph.text_of_all(&[("T", root)], &plain_names, 100);
    assert!(text.len() < 900, "{text}");
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with('(') && last.ends_with("operations left out)"),
        "{last}"
    );
    let left_out: u32 = last[1..].split(' ').next().unwrap().parse().unwrap();
    // Each of the 60 steps has a sine, two powers and three additions; 20 or so fit.
    assert!((60 * 6 - 25 * 6..60 * 6).contains(&left_out), "{left_out}");
}

#[test]
fn given_names_are_not_those_of_symbols() {
    let mut graph = Graph::new();
    let root = swelling(&mut graph, 8);
    let text = graph.text_of_all(&[("T", root)], &|_| "z1".into(), 50);
    assert!(
        text.contains("zz1 = ") && !text.contains("\nz1 = "),
        "{text}"
    );
}

const SYSTEM: &str = "\
coordinates x \"R[0, 1]\"
parameters m
states z
inputs u
time t
node %0 = coordinate 0
node %1 = coordinate 1
node %2 = velocity 0
node %3 = parameter 0
node %4 = input 0
node %5 = time
node %6 = number 0
node %7 = pi
node %8 = product %0^2 %3^-1
node %9 = sum 1/2 3*%0 1.5e-1*%8
node %10 = sin %9
node %11 = atan2 %1 %10
node %12 = if %0 <= %1 %11 %2
node %13 = state 0
node %14 = state_rate 0
node %15 = product %2^1 %14^1
kinetic %12
potential %8
dissipation %15
force 0 %4
force 1 %7
rate 0 %13
holonomic \"closure[0, 1]\" %8
nonholonomic roll %2
output height matrix 1 2 %5 %9
regressor identify 0 0
symmetry \"a b\" %3 %6
";

#[test]
fn the_text_form_is_read_and_printed() {
    let system: System = SYSTEM.parse().unwrap();
    assert_eq!(system.to_string(), SYSTEM);
    assert_eq!(system.names.coordinates, ["x", "R[0, 1]"]);
}

#[test]
fn names_survive_quoting() {
    let all = ["x", "R[0, 1]", "", "a\"b\\c\nd", "#", "θ"];
    for name in all {
        let mut graph = Graph::new();
        let energy = lagrange_engine::Energy::Lagrangian(graph.integer(0));
        let mut names = crate::common::names(0);
        names.parameters = vec![name.into(), "end".into()];
        let text = crate::common::system(graph, names, energy).to_string();
        let read: System = text.parse().unwrap();
        assert_eq!(read.names.parameters, [name, "end"]);
    }
    let open = "parameters \"open".parse::<System>().unwrap_err();
    assert_eq!((open.line, open.kind), (1, ParseErrorKind::Malformed));
}

#[test]
fn numbers_survive_printing() {
    let double = Number::float(0.1);
    for value in [
        double,
        Number::HALF,
        Number::integer(-7),
        Number::float(1e300),
    ] {
        let mut graph = Graph::new();
        let energy = lagrange_engine::Energy::Lagrangian(graph.number(value));
        let system = crate::common::system(graph, crate::common::names(0), energy);
        let read: System = system.to_string().parse().unwrap();
        let lagrange_engine::Energy::Lagrangian(root) = read.energy else {
            panic!("{value} is not alone");
        };
        assert_eq!(read.graph.as_number(root), Some(value));
    }
    for malformed in ["1/0", "nan", "inf", "1e999", "", "x"] {
        let text = format!("node %0 = number \"{malformed}\"");
        let error = text.parse::<System>().unwrap_err();
        let kind = ParseErrorKind::BadNumber(malformed.into());
        assert_eq!(error.kind, kind, "{malformed}");
    }
}

const BODIES: &str = "\
coordinates a b x y z w
rotations 2
time t
node %0 = coordinate 0
node %1 = coordinate 1
node %2 = time
node %3 = number 0
node %4 = number 1
node %5 = number -2
kinetic %3
potential %3
frame 0 translate %0 %3 %2
frame 1 attitude 2
frame 2 turn %3 %5 %3 %1
frame 1 orient %3 %3 %4 %4 %3 %3 %3 %4 %3
frame 4 turn %4 %0 %4 %1
body 3 %4 %3 %3 %3
body 0 %2 %0 %1 %3 %4 %3 %3 %3 %4 %3 %3 %3 %5
gravity %3 %5 %3
dissipation %3
force 0 %3
force 1 %3
force 2 %3
force 3 %3
force 4 %3
output \"left hand\" frame 5
output ground frame 0
";

#[test]
fn bodies_are_read_and_printed() {
    let system: System = BODIES.parse().unwrap();
    assert_eq!(system.to_string(), BODIES);
    assert_eq!(system.multibody.bodies().len(), 2);
    assert_eq!(system.multibody.frames().unwrap().joints().count(), 5);
    let parents = system.multibody.frames().unwrap().joints();
    let parents: Vec<usize> = parents.map(|(parent, _)| parent.index()).collect();
    assert_eq!(parents, [0, 1, 2, 1, 4]);
    let outputs = system.multibody.outputs().iter();
    let outputs: Vec<(&str, usize)> = outputs.map(|(n, f)| (n.as_str(), f.index())).collect();
    assert_eq!(outputs, [("left hand", 5), ("ground", 0)]);
}

/// Everything that the fuzzer begins with.
#[test]
fn seeds_are_read_and_printed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/seeds");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let seed = std::fs::read_to_string(&path).unwrap();
        let system: System = seed.parse().unwrap();
        let text = system.to_string();
        let again: System = text.parse().unwrap();
        assert_eq!(again.to_string(), text, "{}", path.display());
    }
}

#[test]
fn mistakes_in_bodies_have_their_place_and_kind() {
    use MultibodyError as Bad;
    use ParseErrorKind as Kind;
    let head = "coordinates q x y z w\nrotations 1\ninputs u\nnode %0 = number 0\n\
        node %1 = velocity 0\nnode %2 = input 0\nnode %3 = number 1\n";
    let rows = [
        (
            "frame 1 translate %0 %0 %0",
            Kind::Multibody(Bad::UnknownFrame),
        ),
        ("body 1 %0 %0 %0 %0", Kind::Multibody(Bad::UnknownFrame)),
        ("output hand frame 1", Kind::Multibody(Bad::UnknownFrame)),
        ("output hand frame", Kind::Malformed),
        ("output hand frame hand", Kind::BadNumber("hand".into())),
        ("frame 0 turn %0 %0 %0 %3", Kind::Multibody(Bad::ZeroAxis)),
        (
            "frame 0 turn %0 %3 %0 %1",
            Kind::Multibody(Bad::NotPositional),
        ),
        (
            "frame 0 translate %0 %2 %0",
            Kind::Multibody(Bad::NotPositional),
        ),
        ("body 0 %1 %0 %0 %0", Kind::Multibody(Bad::NotPositional)),
        ("gravity %0 %2 %0", Kind::Multibody(Bad::NotPositional)),
        ("frame 0 attitude 0", Kind::UndeclaredSymbol),
        ("frame 0 glide %0", Kind::UnknownOperation("glide".into())),
        ("frame 0", Kind::WrongCount),
        ("frame 0 turn %0 %0 %3", Kind::WrongCount),
        ("frame 0 orient %0 %0 %3", Kind::WrongCount),
        ("frame -1 attitude 1", Kind::BadNumber("-1".into())),
        ("body 0 %0 %0 %0", Kind::WrongCount),
        ("body 0 %0 %0 %0 %0 %0", Kind::WrongCount),
        ("gravity %0 %3", Kind::WrongCount),
        ("gravity %0 %0 %4", Kind::UndefinedLabel("%4".into())),
    ];
    for (line, kind) in rows {
        let error = format!("{head}{line}").parse::<System>().unwrap_err();
        assert_eq!((error.line, &error.kind), (8, &kind), "{line}");
        assert!(error.to_string().len() > "line 8: ".len());
    }
    let twice = format!("{head}gravity %0 %0 %0\ngravity %0 %0 %0");
    assert_eq!(twice.parse::<System>().unwrap_err().kind, Kind::Repeated);
    let late = "coordinates x y z w\nnode %0 = pi\nrotations 0";
    assert_eq!(late.parse::<System>().unwrap_err().kind, Kind::Late);
}

#[test]
fn mistakes_in_the_text_form_have_their_place_and_kind() {
    use ParseErrorKind as Kind;
    let rows: [(&str, usize, Kind); 24] = [
        ("", 0, Kind::NoEnergy),
        ("nodes", 1, Kind::UnknownKeyword("nodes".into())),
        ("time t\ntime t", 2, Kind::Repeated),
        ("node %0 = pi\nnode %0 = pi", 2, Kind::Repeated),
        ("node %0 pi", 1, Kind::Malformed),
        (
            "node %0 = sinus %1",
            1,
            Kind::UnknownOperation("sinus".into()),
        ),
        ("node %0 = coordinate 0", 1, Kind::UndeclaredSymbol),
        ("node %0 = time", 1, Kind::UndeclaredSymbol),
        (
            "coordinates x y z w\nrotations 1",
            2,
            Kind::UndeclaredSymbol,
        ),
        ("coordinates x y z w u\nrotations 0 1", 2, Kind::Malformed),
        (
            "coordinates x y z w\nrotations 0\nnode %0 = velocity 3",
            3,
            Kind::UndeclaredSymbol,
        ),
        ("node %0 = number 1/0", 1, Kind::BadNumber("1/0".into())),
        ("node %0 = sum 0 1*%3", 1, Kind::UndefinedLabel("%3".into())),
        ("node %0 = pi\nnode %1 = sin %0 %0", 2, Kind::WrongCount),
        ("node %0 = pi\noutput a vector 2 %0", 2, Kind::WrongCount),
        ("regressor", 1, Kind::WrongCount),
        ("parameters m\nregressor r 1", 2, Kind::UndeclaredSymbol),
        (
            "parameters m\nregressor r m",
            2,
            Kind::BadNumber("m".into()),
        ),
        ("states z\nnode %0 = state 1", 2, Kind::UndeclaredSymbol),
        ("node %0 = pi\nrate 0 %0", 2, Kind::UndeclaredSymbol),
        (
            "states z\nnode %0 = pi\nrate 0 %0\nrate 0 %0",
            4,
            Kind::Repeated,
        ),
        ("symmetry s %0", 1, Kind::UndefinedLabel("%0".into())),
        (
            "coordinates x y\nnode %0 = pi\nsymmetry s %0",
            3,
            Kind::WrongCount,
        ),
        (
            "node %0 = pi\nkinetic %0\nlagrangian %0",
            3,
            Kind::TwoEnergies,
        ),
    ];
    for (text, line, kind) in rows {
        let error = text.parse::<System>().unwrap_err();
        assert_eq!((error.line, &error.kind), (line, &kind), "{text}");
        assert!(error.to_string().starts_with(&format!("line {line}: ")));
    }
}

/// Words of the text form, and some that are not.
fn words() -> impl Strategy<Value = String> {
    let all = "coordinates rotations parameters states inputs time node kinetic potential lagrangian dissipation \
        force rate frame body gravity translate turn orient attitude output regressor symmetry = %0 %1 %2 %99 1 -1 1/2 0 1e3 2*%0 -1*%1 %0^2 %1^-1 %0^2147483647 \
        %1^-2147483648 170141183460469231731687303715884105727*%0 sum product number pi sin ln \
        powf min if < scalar vector matrix 18446744073709551615 \" # coordinate velocity state state_rate x";
    prop::sample::select(all.split(' ').map(str::to_owned).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn random_systems_survive_printing(program in crate::random::programs()) {
        let mut graph = Graph::new();
        let nodes = crate::random::build(&mut graph, &program);
        let zero = graph.integer(0);
        let last = nodes[nodes.len() - 1];
        let system = System {
            energy: lagrange_engine::Energy::Natural { kinetic: last, potential: zero },
            multibody: lagrange_engine::Multibody::default(),
            dissipation: zero,
            forces: vec![nodes[nodes.len() / 2]],
            constraints: Vec::new(),
        outputs: Vec::new(),
        regressors: Vec::new(),
        sensitivities: Vec::new(),
        state_rates: Vec::new(),
        multiplier_forces: Vec::new(),
        symmetries: Vec::new(),
            contacts: vec![lagrange_engine::Contact {
                slips: vec![nodes[0], last],
                friction: Some(last),
                ..lagrange_engine::Contact::new("floor", nodes[nodes.len() / 3])
            }],
            dry_joints: vec![lagrange_engine::DryJoint { velocity: 0, limit: last }],
            names: lagrange_engine::Names {
                coordinates: vec!["x".into()],
                parameters: vec!["m".into()],
                ..Default::default()
            },
            graph,
        };
        let text = system.to_string();
        let again: System = text.parse().unwrap();
        prop_assert_eq!(again.to_string(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(lines in prop::collection::vec(
        prop::collection::vec(words(), 0..8), 0..12,
    )) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        if let Ok(system) = lines.join("\n").parse::<System>() {
            prop_assert!(system.to_string().parse::<System>().is_ok());
        }
    }
}
