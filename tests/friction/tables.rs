//! A sliding velocity with a `table`, whose slope jumps.

use lagrangian::{Event, Mode, Run, lagrangian, vector};

lagrangian! {
    /// A mass on a belt whose speed grows up to x = 1, as far as friction can follow.
    struct Belt { x, y: coordinate, g: parameter = 10, mu: parameter }
    T = (der(x)^2 + der(y)^2) / 2;
    V = g * y;
    contact belt: y >= 0 { slip: der(x) - table(x, [0, 1, 2], [1, 2, 2]), friction: mu };
}

#[test]
fn a_belt_with_a_table_of_speeds() {
    let belt = Belt::<f64>::new(0.5);
    let v = vector![1.0, 0.0];
    let motion = belt.resolve(&vector![0.0, 0.0], &v, &[true]).unwrap();
    assert_eq!(
        (motion.modes[0], motion.acceleration[0]),
        (Mode::Sticks, 1.0)
    );
    // x' = 1 + x, up to x = 1 at ln 2; afterwards x' = 2.
    let mut place = 0.0;
    for step in Run::hybrid(&belt, 0.0, vector![0.0, 0.0], v).until(1.0) {
        let step = step.unwrap();
        let speed = (1.0 + step.q[0]).min(2.0);
        assert_eq!(step.event, None);
        assert!((step.v[0] - speed).abs() < 1e-15, "{} {speed}", step.v[0]);
        place = step.q[0];
    }
    let expected = 1.0 + 2.0 * (1.0 - 2.0_f64.ln());
    assert!((place - expected).abs() < 1e-9, "{place}");
    // Friction of 0.5 cannot follow its growth of 1 at the start, but catches up.
    let belt = Belt::<f64>::new(0.05);
    let run = Run::hybrid(&belt, 0.0, vector![0.0, 0.0], v);
    let events = run.until(3.0).filter_map(|step| step.unwrap().event);
    assert_eq!(events.collect::<Vec<_>>(), [Event::Sticks(0)]);
}
