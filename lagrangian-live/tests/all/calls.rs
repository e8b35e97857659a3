//! Wrong calls are errors that leave results as they were.

use lagrangian_live::{Error, Language, Model, RoutineError};

const CART_POLE: &str = "
    struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter, c: parameter[2] = 1, u: input }
    pub let bob = [x + l * sin(theta), l * cos(theta)];
    T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
    V = m_p * c[0] * c[1] * bob.y;
    Q.x = u;
";

const PARAMETERS: [f64; 5] = [1.0, 0.2, 0.5, 9.81, 1.0];

fn read(text: &str) -> Model {
    Model::read(text).unwrap_or_else(|messages| panic!("{}", messages[0]))
}

#[test]
fn models_are_shared_by_threads() {
    fn is_shared<T: Send + Sync>(_: &T) {}
    let model = read(CART_POLE);
    is_shared(&model);
    let value = || {
        let mut a = [0.0; 2];
        let done = model.call(
            "acceleration",
            &PARAMETERS,
            &[&[0.0, 0.3], &[0.0, 0.7], &[1.0]],
            &mut [&mut a],
        );
        done.map(|()| a)
    };
    let values = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(value)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(values.iter().all(|a| *a == value()), "{values:?}");
}

#[test]
fn wrong_calls_are_errors() {
    let model = read(CART_POLE);
    let call = |name: &str, parameters: &[f64], arguments: &[&[f64]], result: &mut [f64]| {
        model.call(name, parameters, arguments, &mut [result])
    };
    let (q, v, u): (&[f64], &[f64], &[f64]) = (&[0.0, 0.3], &[0.0, 0.7], &[1.0]);
    let mut a = [7.0; 2];
    let wrong = [
        call("acelleration", &PARAMETERS, &[q, v, u], &mut a),
        call("acceleration", &PARAMETERS[1..], &[q, v, u], &mut a),
        call("acceleration", &PARAMETERS, &[q, v], &mut a),
        call("acceleration", &PARAMETERS, &[q, v, &[]], &mut a),
        call("acceleration", &PARAMETERS, &[&[0.0], v, u], &mut a),
        call("acceleration", &PARAMETERS, &[q, v, u], &mut a[..1]),
        model.call("linearize", &PARAMETERS, &[q, v, u], &mut [&mut a]),
        model.call_batch(
            "acceleration",
            &PARAMETERS,
            &[q, v, u],
            &mut [&mut a],
            usize::MAX,
        ),
    ];
    let texts = wrong.map(|error| error.unwrap_err().to_string());
    assert_eq!(
        texts[..7],
        [
            "unknown name `acelleration`: did you mean `acceleration`?",
            "`parameters` has the length 5, found 4",
            "the arguments are (q, v, u), found 2",
            "`u` has the length 1, found 0",
            "`q` has the length 2, found 1",
            "`acceleration` has the length 2, found 1",
            "the results are (a, b), found 1",
        ]
    );
    for (parameters, arguments, name) in [
        (PARAMETERS, [&[f64::NAN, 0.0][..], v, u], "q"),
        (PARAMETERS, [q, v, &[f64::INFINITY]], "u"),
        ([1.0, 0.2, 0.5, 9.81, f64::NAN], [q, v, u], "c[1]"),
        ([1.0, f64::NAN, 0.5, f64::NAN, 1.0], [q, v, u], "m_p"),
    ] {
        let error = call("acceleration", &parameters, &arguments, &mut a).unwrap_err();
        let expected = Error::State {
            index: 0,
            reason: RoutineError::NotFinite,
            argument: Some(name.to_owned()),
            row: None,
            constraint: None,
        };
        assert_eq!(error, expected);
    }
    let massless = call("acceleration", &[0.0; 5], &[q, v, u], &mut a);
    let is_singular = |error: &Error| {
        matches!(
            error,
            Error::State {
                reason: RoutineError::SingularMassMatrix,
                ..
            }
        )
    };
    assert!(massless.is_err_and(|error| is_singular(&error)));
    assert_eq!(a, [7.0; 2]);
}

#[test]
fn a_dependent_constraint_has_its_name() {
    let model = read(
        "struct Bob { r: coordinate[2], s: coordinate }
         T = (der(r)^2 + der(s)^2) / 2;
         holonomic slide: s = 0;
         holonomic rod: r^2 = 1;
         nonholonomic again: der(r).x = r.y * der(s);
         contact floor: r.y >= 0;
         contact wall: s >= 0;",
    );
    let found = |name: &str, arguments: &[&[f64]], lengths: &[usize]| {
        let mut results: Vec<Vec<f64>> = lengths.iter().map(|length| vec![0.0; *length]).collect();
        let mut written: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        match model.call(name, &[], arguments, &mut written) {
            Err(Error::State {
                reason: RoutineError::DependentConstraints,
                row: Some(row),
                constraint: Some(constraint),
                ..
            }) => (row, constraint),
            other => panic!("{name}: {other:?}"),
        }
    };
    let (q, v) = (&[1.0, 0.0, 0.0][..], &[0.0, 1.0, 0.0][..]);
    let again = (2, "again".to_owned());
    assert_eq!(found("acceleration", &[q, v], &[3]), again);
    assert_eq!(found("constraint_forces", &[q, v], &[3]), again);
    assert_eq!(found("project", &[q, v], &[3, 3]), again);
    // At the pivot the rod has no direction.
    let pivot = &[0.0; 3][..];
    let rod = (1, "rod".to_owned());
    assert_eq!(found("acceleration", &[pivot, v], &[3]), rod);
    assert_eq!(found("project", &[pivot, v], &[3, 3]), rod);
    let error = model.call("acceleration", &[], &[pivot, v], &mut [&mut [0.0; 3]]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "a constraint adds nothing to those above it at this state: `rod`"
    );
    // Contacts follow the constraints, those that are not active too.
    let model_of_contacts = read(
        "struct Bob { r: coordinate[2] } T = der(r)^2; contact floor: r.y >= 0; contact wall: r.x >= 0;
         contact other: r.x + r.y >= 0; holonomic line: r.x = r.y;",
    );
    let mut results = [vec![0.0; 2], vec![0.0], vec![0.0; 3]];
    let [a, lambda, forces] = &mut results;
    let error = model_of_contacts.call(
        "solve_active",
        &[],
        &[&[0.0; 2], &[0.0; 2], &[0.0, 1.0, 1.0]],
        &mut [a, lambda, forces],
    );
    let Err(Error::State {
        row, constraint, ..
    }) = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((row, constraint.as_deref()), (Some(3), Some("other")));
}

#[test]
fn a_failing_state_leaves_the_others() {
    let model = read("struct S { x: coordinate, m: parameter } T = m * x^2 * der(x)^2 / 2; V = x;");
    for count in [1, 2, 7, 8, 9, 16, 21] {
        let x: Vec<f64> = (0..count)
            .map(|i| if i % 5 == 3 { 0.0 } else { 1.0 + i as f64 })
            .collect();
        let v = vec![1.0; count];
        let mut a = vec![7.0; count];
        let done = model.call_batch("acceleration", &[2.0], &[&x, &v], &mut [&mut a], count);
        match done {
            Err(Error::State { index: 3, .. }) if count > 3 => {}
            Ok(()) if count <= 3 => {}
            other => panic!("{count}: {other:?}"),
        }
        for (x, a) in x.iter().zip(&a) {
            // m x^2 a = -m x - 1
            let expected = if *x == 0.0 {
                7.0
            } else {
                -(2.0 * x + 1.0) / (2.0 * x * x)
            };
            assert!(
                (a - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(),
                "{a} {expected}"
            );
        }
    }
    assert!(
        model
            .call_batch("acceleration", &[2.0], &[&[], &[]], &mut [&mut []], 0)
            .is_ok()
    );
}

#[test]
fn texts_hold_the_methods() {
    let model = read(CART_POLE);
    let names = ["acceleration", "bob_jacobian", "acceleration"];
    let c = model.text(Language::C99, &names).unwrap();
    assert!(c.contains("int cart_pole_acceleration(") && c.contains("int cart_pole_bob_jacobian("));
    assert!(
        model
            .text(Language::Cuda, &names)
            .unwrap()
            .contains("__device__")
    );
    assert!(
        model
            .text(Language::Wgsl, &names)
            .unwrap()
            .contains("fn cart_pole_acceleration")
    );
    let refused = |name: &str| model.text(Language::C99, &[name]).unwrap_err().to_string();
    assert_eq!(
        refused("acelleration"),
        "unknown name `acelleration`: did you mean `acceleration`?"
    );
    assert_eq!(
        refused("midpoint_terms"),
        "`midpoint_terms` cannot be exported"
    );
    assert!(model.rust().unwrap().contains("pub fn acceleration"));
}

/// Tapes and texts in C and CUDA search for the modes of contacts.
#[test]
fn texts_in_c_search_for_the_modes_of_contacts() {
    let block = read(
        "struct Block { x, y: coordinate, mu: parameter }
        T = (der(x)^2 + der(y)^2) / 2;
        V = 9.81 * y;
        contact floor: y >= 0 { slip: der(x), friction: mu };",
    );
    let names = ["resolve", "contact_step"];
    let c = block.text(Language::C99, &names).unwrap();
    assert!(c.contains("int block_resolve(") && c.contains("int block_contact_step("));
    assert!(block.text(Language::Cuda, &names).is_ok());
    for name in names {
        assert!(block.method(name).is_ok());
        for language in [Language::Wgsl, Language::Casadi] {
            let refused = block.text(language, &[name]).unwrap_err();
            let words = "the search for the modes of contacts is in C and CUDA only";
            assert!(matches!(&refused, Error::Export(message) if message.ends_with(words)));
        }
        let refused = read(CART_POLE).text(Language::C99, &[name]);
        assert!(matches!(refused, Err(Error::UnknownName(_))), "{refused:?}");
    }
}

#[test]
fn files_are_read_in_their_folder() {
    let text =
        r#"struct Arm { arm: robot = "panda.urdf" { friction: ignore } } gravity [0, 0, -9.81];"#;
    let folder = crate::messages::root().join("examples/models");
    let model = Model::read_in(text, &folder).unwrap();
    assert_eq!(model.coordinates()[0].name, "arm.panda_joint1");
    assert!(model.rust().is_ok());
    let missing = Model::read_in(text, folder.join("nowhere")).unwrap_err();
    assert!(
        missing[0].message.contains("there is no such file"),
        "{}",
        missing[0]
    );
}

#[test]
fn lists_have_names_shapes_and_words() {
    let model = read(
        "/// A body.
         struct Body {
            /// Its place.
            p: coordinate[3], att: rotation, t: time,
            /// How heavy.
            m: parameter = 2, i: parameter[3], w: input[2],
        }
        body { frame: world.translate(p).rotate(att), mass: m, inertia: diag(i) }
        /// It stays.
        holonomic wall: [p.x, p.y] = [0, t];
        force [0, 0, w[0] + w[1]] at p;",
    );
    let names = |list: &[lagrangian_live::Variable]| {
        list.iter().map(|v| v.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!((model.name(), model.doc()), ("Body", "A body."));
    assert_eq!(
        names(model.coordinates()),
        ["p[0]", "p[1]", "p[2]", "att.x", "att.y", "att.z", "att.w"]
    );
    assert_eq!(names(model.velocities())[3], "der(att).x");
    assert_eq!(names(model.constraints()), ["wall[0]", "wall[1]"]);
    assert_eq!(names(model.inputs()), ["w"]);
    assert_eq!(names(model.parameters()), ["m", "i"]);
    assert_eq!(model.coordinates()[2].doc, "Its place.");
    assert_eq!(model.constraints()[1].doc, "It stays.");
    assert_eq!(model.parameters()[0].default, Some(vec![2.0]));
    let arguments: Vec<&str> = model
        .method("acceleration")
        .unwrap()
        .arguments
        .iter()
        .map(|a| &a.name[..])
        .collect();
    assert_eq!(arguments, ["t", "q", "v", "u"]);
    assert!(model.equations().latex.contains("ddot"));
}

#[test]
fn formulas_do_not_depend_on_calls() {
    let text = "struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter = 1, u: input }
                let bob = [x + l * sin(theta), l * cos(theta)];
                T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2; V = m_p * bob.y; Q.x = u;";
    let [called, not_called] = [(); 2].map(|()| Model::read(text).expect("a system"));
    for method in called.methods() {
        let arguments = method
            .arguments
            .iter()
            .map(|argument| vec![0.5; argument.length]);
        let arguments: Vec<Vec<f64>> = arguments.collect();
        let arguments: Vec<&[f64]> = arguments.iter().map(Vec::as_slice).collect();
        let lengths = method.results.iter().map(|(_, shape)| shape.len());
        let mut results: Vec<Vec<f64>> = lengths.map(|length| vec![0.0; length]).collect();
        let mut results: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        let called = called.call(&method.name, &[1.0; 3], &arguments, &mut results);
        called.unwrap_or_else(|error| panic!("{}: {error}", method.name));
    }
    assert_eq!(called.equations(), not_called.equations());
}
