//! Units of right declarations: nothing is refused, and the units of all names are as written or as they follow.

use crate::errors::Errors;
use crate::expand::read;
use crate::tests::declarations;
use crate::{lower, syntax};

/// The names with their units; panics if the declaration has a mistake.
fn units(declaration: &str) -> Vec<(String, String)> {
    let mut errors = Errors::default();
    let understood = read(declaration.parse().unwrap(), &mut errors);
    assert!(errors.is_empty(), "{declaration}\n{:?}", errors.messages());
    let Some((_, Ok(sound))) = understood else {
        panic!("{declaration}");
    };
    let units = sound.model.head.units.into_iter();
    let text = |unit: Option<String>| unit.unwrap_or_else(|| "?".to_owned());
    units.map(|(name, unit)| (name, text(unit))).collect()
}

/// The texts of the mistakes in a declaration.
fn mistakes(declaration: &str) -> Vec<String> {
    let mut errors = Errors::default();
    read(declaration.parse().unwrap(), &mut errors);
    errors.messages()
}

/// The places of the labels, which have a blank before them.
fn labels(declaration: &str) -> Vec<std::ops::Range<usize>> {
    declaration
        .match_indices(" [")
        .map(|(at, _)| at + 2)
        .filter_map(|start| {
            let end = start + declaration[start..].find(']')?;
            let is_unit = |byte: u8| byte.is_ascii_alphanumeric() || b"*/^()".contains(&byte);
            let text = &declaration[start..end];
            let is_label = text.bytes().all(is_unit) && text.contains(char::is_alphabetic);
            is_label.then_some(start..end)
        })
        .collect()
}

/// Tests a declaration, and the units of some of its names: `x: m, der(x): m/s`. A wrong label in it is one mistake,
/// wherever its name stands, unless the declaration is right with it too.
fn expect(declaration: &str, expected: &str) {
    for label in labels(declaration) {
        for wrong in ["s^3", "kg^2", "mm"] {
            let mut changed = declaration.to_owned();
            changed.replace_range(label.clone(), wrong);
            let messages = mistakes(&changed);
            assert!(messages.len() <= 1, "{changed}\n{messages:?}");
        }
    }
    let units = units(declaration);
    for pair in expected.split(", ") {
        let (name, unit) = pair.split_once(": ").unwrap();
        let actual = units
            .iter()
            .find(|(of, _)| of == name)
            .unwrap_or_else(|| panic!("{name} of {units:?}"));
        assert_eq!(actual.1, unit, "{name} of {declaration}");
    }
}

#[test]
fn without_labels_nothing_is_known() {
    let units = units(
        "struct S { x, y: coordinate, m: parameter, u: input } \
         T = m + der(x)^2 + m * der(y)^2; Q.x = u; pub let a = x + m; \
         holonomic c: x + y = 1;",
    );
    let names: Vec<&str> = units.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(
        names,
        [
            "x",
            "y",
            "der(x)",
            "der(y)",
            "m",
            "u",
            "c",
            "multiplier(c)",
            "a"
        ]
    );
    assert!(units.iter().all(|(_, unit)| unit == "?"), "{units:?}");
}

#[test]
fn a_frame_has_the_unit_of_its_origin() {
    let arm = "struct S { q: coordinate, l: parameter [mm], m: parameter } \
               frame A = world.rotate(z, q).translate([l, 0, 0]); body { frame: A, mass: m } \
               pub frame hand = A.rotate(x, 0.3); pub let tip = A.origin; ";
    expect(arm, "tip: mm, hand: mm");
    // A 0 is one in every unit, beside entries of one unit.
    expect(
        "struct S { x, y: coordinate [m], m: parameter [kg] } T = m * (der(x)^2 + der(y)^2) / 2; \
         pub let flat = [x, 0, y]; pub let mixed = [x, 0, m]; pub let none = [0, 0];",
        "flat: m, mixed[0]: m, mixed[1]: ?, mixed[2]: kg, none: ?",
    );
    // The place of a foot in space has the unit of the distances.
    expect(
        "struct S { p: coordinate[3], att: rotation, m: parameter [kg] } \
         frame B = world.translate(p).rotate(att); body { frame: B, mass: m, inertia: diag(1, 1, 1) } pub frame hand = B;",
        "hand: ?, m: kg",
    );
    let arm = arm.replace(" [mm]", "");
    let plain = units(&arm);
    let hand = plain.last().map(|(name, unit)| (&name[..], &unit[..]));
    assert_eq!(hand, Some(("hand", "?")), "{plain:?}");
}

#[test]
fn mechanics_in_the_units_of_their_authors() {
    // Metres.
    expect(
        "struct S { x: coordinate [m], theta: coordinate [rad], m_c, m_p: parameter [kg], l: parameter [m], \
         g: parameter [m/s^2], b, c: parameter, u: input } \
         pub let bob = [x + l * sin(theta), l * cos(theta)]; \
         T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2; V = m_p * g * bob.y; \
         D = b * der(x)^2 / 2 + c * der(theta)^2 / 2; Q.x = u;",
        "x: m, der(x): m/s, theta: rad, der(theta): rad/s, b: N*s/m, c: N*m*s, u: N, bob: m, g: m/s^2",
    );
    // Centimetres, grams, seconds.
    expect(
        "struct S { x: coordinate [cm], m: parameter [g], k: parameter, g: parameter [cm/s^2] } \
         T = m * der(x)^2 / 2; V = k * x^2 / 2 - m * g * x;",
        "k: g/s^2, der(x): cm/s",
    );
    // Only one label.
    expect(
        "struct S { x: coordinate [m], m, k: parameter } T = m * der(x)^2 / 2; V = k * x^2 / 2;",
        "x: m, m: ?, k: ?",
    );
    // A number stands for itself, and a named number has the unit that it needs.
    expect(
        "struct S { x: coordinate [m], m: parameter [kg] } let g = 9.81; let rest = 0.5; \
         T = m * der(x)^2 / 2; V = m * g * (x - rest) + m * 9.81 [m/s^2] * x;",
        "x: m",
    );
    // Numbers that stand alone in sums, vectors and equations.
    expect(
        "struct S { x, y: coordinate [m], m: parameter [kg], f: parameter [N] } \
         body { mass: m, at: [x + 1, y - 0.5] } gravity [0, -9.81]; \
         holonomic plane: y = 2; force [f, -3] at [x, 0.5 + y];",
        "plane: m, multiplier(plane): N",
    );
}

#[test]
fn electric_and_magnetic_circuits() {
    // A series circuit by its charge, and a loudspeaker.
    expect(
        "struct S { q: coordinate [C], l: parameter [H], r: parameter [ohm], c: parameter [F], u: input [V] } \
         T = l * der(q)^2 / 2; V = q^2 / (2 * c); D = r * der(q)^2 / 2; Q.q = u; pub let i = der(q);",
        "i: A, der(q): A, u: V",
    );
    expect(
        "struct S { x: coordinate [m], q: coordinate [C], m: parameter [kg], l: parameter [H], bl: parameter, \
         k: parameter [N/m], u: input [V] } \
         T = m * der(x)^2 / 2 + l * der(q)^2 / 2; V = k * x^2 / 2; Q.x = bl * der(q); Q.q = u - bl * der(x);",
        "bl: N/A",
    );
}

#[test]
fn bodies_frames_and_actuators() {
    expect(
        "struct S { place: coordinate[3] [m], att: rotation, m: parameter [kg], i: parameter[3] [kg*m^2], \
         arm: parameter[3] [m], drag: parameter [m], thrust: input [N] } \
         frame hull = world.translate(place).rotate(att); \
         body { frame: hull, mass: m, inertia: diag(i) } gravity [0, 0, -9.81]; \
         force hull.vector([0, 0, thrust]) at hull.point(arm); \
         torque hull.vector([0, 0, drag * thrust]) on hull; pub let axes = hull.rotation;",
        "der(att).x: rad/s, axes: 1, place[0]: m",
    );
    expect(
        "struct S { q, s: coordinate, m: parameter [kg], l: parameter [m], i: parameter, k, c, n, r, b: parameter } \
         frame a = world.rotate(z, q).translate([l, 0, 0.5]); frame b2 = a.translate([s, 0, 0]); \
         body { frame: a, mass: m, inertia: diag(i, i, i) } body { frame: b2, mass: m } \
         gravity [0, -9.81, 0]; \
         spring { k, rest: 0.1, from: [0, 0, 1], to: b2.origin } damper { c, from: world.origin, to: a.origin } \
         actuator drive { joint: q, gear: n, rotor: r, viscous: b, torque: 3 }",
        "i: kg*m^2, k: N/m, c: N*s/m, s: m, der(s): m/s, q: 1, b: N*m*s",
    );
    // An elastic gear, a rack: its gear is in 1/m.
    expect(
        "struct S { x: coordinate [m], m: parameter [kg], n: parameter [rad/m], r, k: parameter, u: input [N*m] } \
         T = m * der(x)^2 / 2; actuator a { joint: x, gear: n, rotor: r, torque: u }",
        "r: kg*m^2, n: rad/m",
    );
}

#[test]
fn constraints_contacts_and_time() {
    expect(
        "struct S { x, y: coordinate [m], phi: coordinate [rad], t: time, m: parameter [kg], i: parameter [kg*m^2], \
         w: parameter } \
         T = m * (der(x)^2 + der(y)^2) / 2 + i * der(phi)^2 / 2; \
         nonholonomic blade: -sin(phi) * der(x) + cos(phi) * der(y) = 0.1 [m/s] * sin(w * t); \
         contact floor: y >= 0;",
        "blade: m/s, multiplier(blade): N, floor: m, multiplier(floor): N, w: 1/s",
    );
    // Hertz' law with an exponent that is a parameter: the unit of k depends on it.
    expect(
        "struct S { x: coordinate [m], m: parameter [kg], k: parameter [N/m^(3/2)], n: parameter [rad] = 1.5 } \
         T = m * der(x)^2 / 2; Q.x = -k * max(x, 0)^n; V = m * 9.81 [m/s^2] * x * (1 + x / 2 [m])^1.5;",
        "n: rad",
    );
    // Conditions, roots and loops.
    expect(
        "struct S { x: coordinate [m], m: parameter [kg], k: parameter [N/m], f: parameter[2] [N], d: parameter [m^(1/2)] } \
         let mut s = 0; for i in 0..2 { s += f[i] * cos(i * x / d^2); } \
         T = m * der(x)^2 / 2; V = k * hypot(x, d^2)^2 / 2; Q.x = if x > 0 { s } else { -s } + max(f[0], 2);",
        "d: m^(1/2), f[1]: N",
    );
}

#[test]
fn robots_are_in_any_unit_of_length() {
    for length in ["m", "mm"] {
        let declaration = format!(
            "struct S {{ arm: robot = \"../tests/robots/files/two_links.urdf\" {{ friction: ignore }}, \
             reach: parameter [{length}], u: input [N*m] }} \
             gravity [0, 0, -9.81]; Q.arm.shoulder = u; pub let tip = arm.tool.origin; \
             pub let beyond = arm.tool.origin - [reach, 0, 0]; pub let turn = angular_velocity(arm.tool);"
        );
        let expected =
            format!("arm.shoulder: 1, u: N*m, tip: {length}, beyond: {length}, turn: 1/s");
        expect(&declaration, &expected);
    }
}

#[test]
fn own_functions_have_the_units_of_their_arguments() {
    expect(
        "struct S { q: coordinate[2] [rad], m: parameter[2] [kg], l: parameter[2] [m], g: parameter [m/s^2] } \
         let rod(length, angle) = length * [sin(angle), -cos(angle)]; let square(a) = a^2; \
         let elbow = rod(l[0], q[0]); pub let tip = elbow + rod(l[1], q[1]); \
         T = m[0] * square(norm(der(elbow))) / 2 + m[1] * dot(der(tip), der(tip)) / 2; \
         V = g * sum(i in 0..2, m[i] * [elbow.y, tip.y][i]);",
        "tip: m",
    );
}

#[test]
fn curves_adapt_to_the_units_of_their_arguments() {
    expect(
        "struct S { x: coordinate [m], m: parameter [kg], g: parameter, u: input } \
         let places = [0, 0.5, 2]; \
         T = m * der(x)^2 / 2; \
         V = spline(x, places, [1, 3, 2]) + m * g * bspline(x, 0..1 [m], [0, 1, 0, 2]); \
         Q.x = u * table(der(x), 0..1, [1, 2]) + 2 [N] * table(x, places, [0, 1, 3]); \
         pub let slope = der(spline(x, places, [1, 3, 2] )); pub let bend = der(x)^2 * pchip(x, places, [4, 5, 6]);",
        "g: ?, u: ?, slope: ?, bend: ?",
    );
    // A label on one of the points, and control values with a unit of their own.
    expect(
        "struct S { x: coordinate [m], m: parameter [kg], c: parameter[4] [J], k: parameter[5] } \
         T = m * der(x)^2 / 2; V = bspline(x, 0..1, c) + bspline(x, -1..1, k); \
         pub let force = -akima(x, 0..1, [0, 1 [N], 2, 5]); pub let power = der(x) * force;",
        "k[0]: J, force: N, power: W",
    );
    expect(
        "struct S { q: coordinate [rad], m: parameter [kg*m^2], u: input [V] } \
         let torque = csv(\"../tests/data/wing.csv\", \"lift\"); \
         T = m * der(q)^2 / 2; Q.q = table(der(q), csv(\"../tests/data/wing.csv\", \"alpha\"), torque); \
         pub let electric = table(u, [0, 3], [1 [A], 2]);",
        "electric: A",
    );
}

#[test]
fn factors_are_exact() {
    // 1 rpm is 2 pi / 60 per second, 1 bar 100 kPa, 1 t 1000 kg, 1 h 60 min, 1 L a cubic decimetre.
    for (left, right) in [
        ("t", "Mg"),
        ("bar", "kPa"),
        ("h", "min"),
        ("L", "m^3"),
        ("N*m", "J"),
        ("J/s", "W"),
        ("V*A", "W"),
        ("kg*m/s^2", "N"),
        ("Wb/m^2", "T"),
        ("C/V", "F"),
        ("ohm*s", "H"),
        ("rpm", "deg/s"),
        ("mm/ms", "m/s"),
        ("mdeg/ms", "deg/s"),
        ("krpm*ms", "rpm*s"),
        ("(kg*m)/(s*s)", "N"),
        ("(m^2)^(1/2)", "m"),
    ] {
        let declaration = format!(
            "struct S {{ x: coordinate [m], m: parameter [kg], a: parameter [{left}], b: parameter [{right}] }} \
             T = m * der(x)^2 / 2; V = (a + b) / (a + b) * m * 1 [m/s^2] * x;"
        );
        let mut errors = Errors::default();
        read(declaration.parse().unwrap(), &mut errors);
        let messages = errors.messages();
        let factor = match left {
            "bar" => Some("100"),
            "h" => Some("60"),
            "L" => Some("0.001"),
            "rpm" => Some("6"),
            _ => None,
        };
        match factor {
            None => assert!(messages.is_empty(), "{left} {right} {messages:?}"),
            Some(factor) => {
                let inverse = 1.0 / factor.parse::<f64>().unwrap();
                let expected = format!("by a factor of {}", crate::units::rounded(inverse));
                assert!(
                    messages[0].contains(&expected),
                    "{left} {right} {messages:?}"
                );
                assert_eq!(messages.len(), 1, "{messages:?}");
            }
        }
    }
}

/// The message points at an entry that the text writes out, not at its vector, and writes angles in their words.
#[test]
fn messages_point_at_the_smallest_term() {
    let head = "struct S { x, y: coordinate [m], v: coordinate[3] [m], q: coordinate [rad], t: time, m: parameter [kg], \
                u: input [N] } \
                frame F = world.rotate(x, q); body { frame: F, at: v, mass: m } \
                T = m * (der(x)^2 + der(y)^2) / 2 + 1 [kg*m^2] * der(q)^2; ";
    for (statement, expected) in [
        (
            "pub let a = norm([x, t, y]);",
            "`t` is in s, but `x` is in m",
        ),
        ("pub let a = [x, t, y] + v;", "`t` is in s, but `v` is in m"),
        ("pub let a = v + [x, t, y];", "`t` is in s, but `v` is in m"),
        (
            "pub let a = if x > y { [x, y] } else { [y, m] };",
            "`m` is in kg, but `y` is in m",
        ),
        (
            "pub let a = if x > y { v } else { [y, m, x] };",
            "`m` is in kg, but `v` is in m",
        ),
        (
            "holonomic h: v = [0, t, 0];",
            "`t` is in s, but `v` is in m",
        ),
        (
            "body { mass: m, at: [x, m, 0] }",
            "`m` is in kg, but a position in space is in m",
        ),
        (
            "torque [u, 0, 0] on F;",
            "`u` is in N, but a torque is in J",
        ),
        (
            "force [0, t] at [x, y];",
            "`t` is in s, but a force at this point is in N",
        ),
        ("force [u, u] at [x, t];", "`t` is in s, but `x` is in m"),
        (
            "Q.v = [u, u, x];",
            "`x` is in m, but a force on `der(v)[2]` is in N",
        ),
        (
            "pub let a = sin(30 [deg]);",
            "`30 [deg]` is in deg, but the argument of `sin` is a pure number",
        ),
        (
            "pub let a = der(q) + 2 [rpm];",
            "`2 [rpm]` is in rpm, but `der(q)` is in 1/s",
        ),
    ] {
        let messages = mistakes(&format!("{head}{statement}"));
        assert!(
            messages.len() == 1 && messages[0].contains(expected),
            "{statement}\n{messages:?}"
        );
    }
}

/// A wrong term in the middle of a long chain is one error at that term.
#[test]
fn a_long_chain_has_one_error_at_its_term() {
    for wrong in [false, true] {
        let length = if wrong { "l^2" } else { "l" };
        let declaration = format!(
            "struct S {{ q: coordinate[20] [rad], m: parameter [kg], l: parameter [m], g: parameter [m/s^2] }} \
             let mut joint = [0, 0]; \
             for i in 0..20 {{ let along = l * [sin(q[i]), -cos(q[i])]; let middle = joint + along / 2; \
             T += m * der(middle)^2 / 2 + m * {length} * l / 12 * der(q[i])^2 / 2; V += m * g * middle.y; \
             joint += along; }}"
        );
        let mut errors = Errors::default();
        read(declaration.parse().unwrap(), &mut errors);
        assert_eq!(
            errors.messages().len(),
            usize::from(wrong),
            "{:?}",
            errors.messages()
        );
    }
}

/// With symbols in the place of numbers, every statement of a right declaration is still understood: numbers that only a
/// constant can be, such as sizes, indices, bounds and exponents, are found behind their names.
#[test]
fn numbers_as_symbols_are_no_mistake() {
    let mut count = 0;
    for sound in declarations::sound() {
        let mut errors = Errors::default();
        let Some(definition) = syntax::parse(sound.text.parse().unwrap(), &mut errors) else {
            continue;
        };
        let (_, system, facts) = lower::lower_for_units(&definition, &mut errors);
        assert!(errors.is_empty(), "{}\n{:?}", sound.text, errors.messages());
        count += usize::from(!facts.all.is_empty() && !system.names.coordinates.is_empty());
    }
    assert!(count > 300, "{count}");
}
