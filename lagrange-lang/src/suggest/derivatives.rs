//! Names of velocities and accelerations in other systems: `x_dot`, `dx`, `thetadot1`, `x_ddot`.

/// The advice for an equation of first order, whose left side is the velocity of a coordinate.
pub(crate) fn equation_of_rate(of: &str) -> String {
    format!(
        "an equation of first order gives the rate of a state, `{of}: state`; a constraint on velocities is \
         `nonholonomic name: der({of}) = ..;`"
    )
}

/// The relation of a name to the name whose derivative it denotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Derivative<'a> {
    /// The name that is differentiated.
    pub(crate) of: &'a str,
    /// 1 for a velocity, 2 for an acceleration.
    pub(crate) order: u8,
}

/// Prefixes that mark a derivative, with its order. `BEHIND` has the suffixes.
const BEFORE: [(&str, u8); 21] = [
    ("dot_", 1),
    ("dot", 1),
    ("d_", 1),
    ("d", 1),
    ("D", 1),
    ("der_", 1),
    ("v_", 1),
    ("v", 1),
    ("vel_", 1),
    ("velocity_", 1),
    ("omega_", 1),
    ("w_", 1),
    ("rate_", 1),
    ("dd_", 2),
    ("dd", 2),
    ("ddot_", 2),
    ("d2", 2),
    ("a_", 2),
    ("acc_", 2),
    ("accel_", 2),
    ("alpha_", 2),
];
const BEHIND: [(&str, u8); 30] = [
    ("_dot", 1),
    ("dot", 1),
    ("Dot", 1),
    ("_d", 1),
    ("d", 1),
    ("_dt", 1),
    ("dt", 1),
    ("_t", 1),
    ("p", 1),
    ("_p", 1),
    ("_prime", 1),
    ("prime", 1),
    ("_v", 1),
    ("_vel", 1),
    ("_velocity", 1),
    ("_rate", 1),
    ("_speed", 1),
    ("_der", 1),
    ("_ddot", 2),
    ("ddot", 2),
    ("DDot", 2),
    ("_dd", 2),
    ("dd", 2),
    ("_dotdot", 2),
    ("_dot_dot", 2),
    ("pp", 2),
    ("_tt", 2),
    ("_acc", 2),
    ("_accel", 2),
    ("_acceleration", 2),
];
/// Pairs of a prefix and a suffix that mark a derivative.
const AROUND: [(&str, &str, u8); 5] = [
    ("d", "dt", 1),
    ("d", "_dt", 1),
    ("d_", "_dt", 1),
    ("d2", "dt2", 2),
    ("d2", "_dt2", 2),
];

/// The name among `names` whose derivative is written. If several match, the longest is chosen.
pub(crate) fn derivative<'a>(
    written: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<Derivative<'a>> {
    names
        .into_iter()
        .filter_map(|of| {
            let order = order(written, of)?;
            Some(Derivative { of, order })
        })
        .max_by_key(|derivative| derivative.of.len())
}

/// Recognizes a name that looks like the derivative of an unknown name.
pub(crate) fn looks_like_derivative(written: &str) -> Option<Derivative<'_>> {
    const MARKS: [(&str, u8); 5] = [
        ("_dot_dot", 2),
        ("_ddot", 2),
        ("ddot", 2),
        ("_dot", 1),
        ("dot", 1),
    ];
    MARKS.iter().find_map(|(mark, order)| {
        let of = written.strip_suffix(mark).filter(|of| !of.is_empty())?;
        Some(Derivative { of, order: *order })
    })
}

fn order(written: &str, of: &str) -> Option<u8> {
    let (stem, index) = split_index(of);
    let behind = |(mark, order): &(&str, u8)| {
        let is_it = written.strip_suffix(mark) == Some(of)
            // `qdot1` and `q_dot_1` for `q1` and `q_1`.
            || (!index.is_empty()
                && [index, index.trim_start_matches('_')].iter().any(|index| {
                    let rest = written.strip_suffix(index);
                    let rest = rest.map(|rest| rest.strip_suffix('_').unwrap_or(rest));
                    rest.and_then(|rest| rest.strip_suffix(mark)) == Some(stem)
                }));
        is_it.then_some(*order)
    };
    let before =
        |(mark, order): &(&str, u8)| (written.strip_prefix(mark) == Some(of)).then_some(*order);
    let around = |(before, behind, order): &(&str, &str, u8)| {
        let inner = written.strip_prefix(before)?.strip_suffix(behind)?;
        (inner == of).then_some(*order)
    };
    AROUND
        .iter()
        .find_map(around)
        .or_else(|| BEHIND.iter().find_map(behind))
        .or_else(|| BEFORE.iter().find_map(before))
}

/// `q` and `1` for `q1`, `x` and `_c` for `x_c`.
fn split_index(name: &str) -> (&str, &str) {
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if stem.len() < name.len() && !stem.is_empty() {
        let stem = stem.strip_suffix('_').unwrap_or(stem);
        return name.split_at(stem.len());
    }
    match name.rfind('_') {
        Some(underscore) if underscore > 0 => name.split_at(underscore),
        _ => (name, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_known_by_their_names() {
        let names = ["x", "theta", "q1", "q_2", "x_c", "bob"];
        for (written, of, order) in [
            ("x_dot", "x", 1),
            ("xdot", "x", 1),
            ("dx", "x", 1),
            ("dxdt", "x", 1),
            ("dx_dt", "x", 1),
            ("vx", "x", 1),
            ("v_x", "x", 1),
            ("xd", "x", 1),
            ("thetadot", "theta", 1),
            ("theta_dot", "theta", 1),
            ("dtheta", "theta", 1),
            ("omega_theta", "theta", 1),
            ("theta_rate", "theta", 1),
            ("qdot1", "q1", 1),
            ("q1dot", "q1", 1),
            ("qd1", "q1", 1),
            ("q_dot_2", "q_2", 1),
            ("q_2_dot", "q_2", 1),
            ("xdot_c", "x_c", 1),
            ("x_dot_c", "x_c", 1),
            ("x_c_dot", "x_c", 1),
            ("bob_dot", "bob", 1),
            ("x_ddot", "x", 2),
            ("xddot", "x", 2),
            ("ddx", "x", 2),
            ("xdd", "x", 2),
            ("d2xdt2", "x", 2),
            ("qddot1", "q1", 2),
            ("a_x", "x", 2),
        ] {
            assert_eq!(
                derivative(written, names),
                Some(Derivative { of, order }),
                "{written}"
            );
        }
        for written in ["x", "y_dot", "dy", "xy", "m"] {
            assert_eq!(derivative(written, names), None, "{written}");
        }
        assert_eq!(
            looks_like_derivative("y_dot"),
            Some(Derivative { of: "y", order: 1 })
        );
    }
}
