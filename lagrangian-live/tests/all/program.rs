//! The program `lagrangian`, run as a user runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CART_POLE: &str = "
/// A cart & a pole.
pub struct CartPole {
    x, theta: coordinate, m_c, m_p, l: parameter, c: parameter[2] = [9.81, 1], u: input,
}
pub let bob = [x + l * sin(theta), l * cos(theta)];
T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
V = m_p * c[0] * c[1] * bob.y;
Q.x = u;
";

/// A folder for one test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let folder = Self(folder);
        folder.write("cart.lag", CART_POLE);
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The output of a command whose words have no blanks but in quotation marks.
    fn run(&self, command: &str) -> Output {
        let mut words: Vec<String> = Vec::new();
        for (at, part) in command.split('\'').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        Command::new(env!("CARGO_BIN_EXE_lagrangian"))
            .args(words)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// The standard output of a command that succeeds.
    pub(crate) fn done(&self, command: &str) -> String {
        let output = self.run(command);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{command}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The standard error of a command that ends with this code.
    fn failed(&self, command: &str, code: i32) -> String {
        let output = self.run(command);
        assert_eq!(output.status.code(), Some(code), "{command}");
        assert!(output.stdout.is_empty(), "{command}");
        String::from_utf8(output.stderr).unwrap()
    }
}

const PARAMETERS: &str = "--set m_c=1 --set m_p=0.2 --set l=0.5";

#[test]
fn declarations_are_checked() {
    let folder = Folder::new("check");
    assert_eq!(
        folder.done("check cart.lag"),
        "cart.lag: CartPole: no mistakes\n"
    );
    folder.write("wrong.lag", &CART_POLE.replace("m_p *", "m_q *"));
    let error = folder.failed("check wrong.lag", 1);
    assert!(
        error.starts_with("error[L101]: unknown name `m_q`\n --> wrong.lag:7:26\n"),
        "{error}"
    );
    folder.write("unused.lag", &CART_POLE.replace("u: input", "u, w: input"));
    let output = folder.run("check unused.lag");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning[unused_variables]"));
    let program =
        format!("use lagrangian::lagrangian;\n\nlagrangian! {{{CART_POLE}}}\n\nfn main() {{}}\n");
    folder.write("main.rs", &program);
    assert_eq!(
        folder.done("check main.rs"),
        "main.rs: CartPole: no mistakes\n"
    );
    folder.write("main.rs", &program.replace("m_p *", "m_q *"));
    assert!(
        folder
            .failed("check main.rs", 1)
            .contains(" --> main.rs:9:26\n")
    );
    // The lines of the file are shown, with the code that shares them.
    for kind in ["coordinat", "coordinate, c: parameter"] {
        let line = format!(
            "mod a {{ lagrangian::lagrangian! {{ struct A {{ y: {kind} }} T = der(y)^2; }} }}"
        );
        folder.write("lines.rs", &format!("\u{feff}// A module.\r\n{line}\r\n"));
        let output = folder.run("check lines.rs");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(&format!("\n2 | {line}\n")), "{told}");
    }
    // A pattern in `macro_rules!` is no declaration, wherever the macro is.
    let pattern = "macro_rules! each { ($($name:ident { $($text:tt)* })*) => {$(\n\
                   mod inner { lagrangian! { $($text)* } }\n\
                   lagrangian! { struct $name { x: coordinate } T = der(x)^2; })*} }\n";
    let whole =
        "macro_rules! one { () => { lagrangian! { struct B { x: coordinate } T = der(x)^2; } } }";
    folder.write(
        "macros.rs",
        &format!("mod a {{ {pattern} }}\n{program}{whole}"),
    );
    assert_eq!(
        folder.done("check macros.rs"),
        "macros.rs: CartPole: no mistakes\nmacros.rs: B: no mistakes\n"
    );
    folder.write(
        "macros.rs",
        "lagrangian! { struct $name { x: coordinate } T = der(x)^2; }",
    );
    assert!(folder.failed("check macros.rs", 1).contains("found `$`"));
    folder.write("empty.rs", "fn main() {}");
    assert!(
        folder
            .failed("check empty.rs", 1)
            .contains("has no `lagrangian! { .. }`")
    );
    assert!(
        folder
            .failed("check nowhere.lag", 2)
            .contains("cannot be read")
    );
}

#[test]
fn equations_are_printed() {
    let folder = Folder::new("equations");
    assert!(
        folder
            .done("equations cart.lag")
            .contains("u = x''*(m_c + m_p)")
    );
    assert!(
        folder
            .done("equations cart.lag --latex")
            .contains(r"\ddot{\theta}")
    );
}

#[test]
fn methods_are_exported() {
    let folder = Folder::new("export");
    assert!(
        folder
            .done("export cart.lag --c99 acceleration")
            .contains("int cart_pole_acceleration(")
    );
    folder.done("export cart.lag --c99 acceleration,bob --wgsl acceleration --out texts");
    assert!(
        folder
            .read("texts/cart_pole.c")
            .contains("int cart_pole_bob(")
    );
    assert!(
        folder
            .read("texts/cart_pole.wgsl")
            .contains("fn cart_pole_acceleration")
    );
    let error = folder.failed("export cart.lag --c99 acelleration", 2);
    let names = "error: unknown name `acelleration`: did you mean `acceleration`?\n\nthe names are coordinate_rates, integrate, ";
    assert!(
        error.starts_with(names) && error.ends_with(", bob_rate, bob_bias\n"),
        "{error}"
    );
    assert!(
        folder
            .failed("export cart.lag", 2)
            .contains("which methods?")
    );
}

/// The numbers of a table, without its first line.
fn rows(table: &str) -> Vec<Vec<f64>> {
    let rows = table.lines().skip(1);
    rows.map(|row| {
        row.split(',')
            .map(|number| number.parse().unwrap())
            .collect()
    })
    .collect()
}

/// A motor with the current of its coil, which reaches 0.0068555371806110 rad/s after 0.1 s at 1 V.
const MOTOR: &str =
    "struct Motor { angle: coordinate, i: state, j, b, k, r, l: parameter, u: input }
T = j * der(angle)^2 / 2;
D = b * der(angle)^2 / 2;
der(i) = (u - r * i - k * der(angle)) / l;
Q.angle = k * i;
";

#[test]
fn states_are_simulated_and_exported() {
    let folder = Folder::new("states");
    folder.write("motor.lag", MOTOR);
    let given = "--set j=0.01 --set b=0.1 --set k=0.01 --set r=1 --set l=0.5 --set u=1";
    let table = folder.done(&format!(
        "simulate motor.lag {given} --until 0.1 --step 1e-3"
    ));
    assert!(
        table.starts_with("t,angle,der(angle),i\n0.0,0.0,0.0,0.0\n"),
        "{table}"
    );
    let motion = rows(&table);
    let last = motion.last().unwrap();
    assert!(
        (last[2] - 0.006_855_537_180_611_0).abs() < 1e-11,
        "{last:?}"
    );
    let started = format!("simulate motor.lag {given} --start i=2 --until 0.1 --step 0.1");
    assert_eq!(rows(&folder.done(&started))[0][3], 2.0);
    folder.done("fmu motor.lag --out motor.fmu");
}

#[test]
fn motions_are_simulated() {
    let folder = Folder::new("simulate");
    let command = format!(
        "simulate cart.lag {PARAMETERS} --start theta=0.3 --start der(theta)=0.7 --until 0.0025 --step 0.001"
    );
    let table = folder.done(&command);
    assert!(
        table.starts_with("t,x,theta,der(x),der(theta)\n0.0,0.0,0.3,0.0,0.7\n"),
        "{table}"
    );
    let motion = rows(&table);
    let times: Vec<f64> = motion.iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 0.001, 0.002, 0.0025]);
    // Nothing pushes the cart: the momentum along the track stays, but for the error of a step, which is h^5.
    let momentum = |row: &[f64]| 1.2 * row[3] + 0.2 * 0.5 * row[2].cos() * row[4];
    for row in &motion {
        let (found, start) = (momentum(row), momentum(&motion[0]));
        assert!((found - start).abs() < 1e-12 * start, "{found} {start}");
    }
    let other = folder.done(&format!(
        "{command} --set 'c = [0, 1]' --csv motion.csv --page motion.html"
    ));
    assert!(other.is_empty());
    assert_ne!(folder.read("motion.csv"), table);
    assert!(folder.read("motion.html").contains("<html"));
    // An element, an input and the rows of a table.
    let table = folder.done(&format!(
        "simulate cart.lag {PARAMETERS} --set c[0]=0 --set u=6 --until 1"
    ));
    let motion = rows(&table);
    assert_eq!(motion.len(), 1001);
    let found = momentum(&motion[1000]);
    assert!((found - 6.0).abs() < 1e-9, "{found}");
}

#[test]
fn starts_are_on_the_constraints() {
    let folder = Folder::new("constraints");
    folder.write(
        "body.lag",
        "struct Body { p: coordinate[3], att: rotation, t: time, m: parameter = 2 }
         body { frame: world.translate(p).rotate(att), mass: m, inertia: diag(1, 2, 3) }
         holonomic rod: p^2 = 1 + t;",
    );
    let table =
        folder.done("simulate body.lag --start 'p=[0.9, 0, 0]' --start der(att)=[1,0,2] --until 1");
    assert!(
        table.starts_with("t,p[0],p[1],p[2],att.x,att.y,att.z,att.w,der(p)[0],"),
        "{table}"
    );
    let motion = rows(&table);
    assert_eq!(motion[0][1..8], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    for row in motion {
        let [t, x, y, z, ..] = row[..] else { panic!() };
        assert!((x * x + y * y + z * z - 1.0 - t).abs() < 1e-14);
        let norm: f64 = row[4..8].iter().map(|entry| entry * entry).sum();
        assert!((norm - 1.0).abs() < 1e-14);
    }
}

#[test]
fn wrong_commands_are_told() {
    let folder = Folder::new("wrong");
    for (command, code, part) in [
        ("", 2, "which command?"),
        ("fly cart.lag", 2, "unknown command `fly`"),
        ("check", 2, "which file?"),
        ("check cart.lag --latex", 2, "--latex"),
        (
            "simulate cart.lag --until 1",
            2,
            "parameters without a value: m_c, m_p, l",
        ),
        ("simulate cart.lag", 2, "until when?"),
        (
            "simulate cart.lag --until -1",
            2,
            "expected a positive number",
        ),
        (
            "simulate cart.lag --until 1 --set m=1",
            2,
            "m_c, m_p, l, c[0], c[1], u",
        ),
        (
            "simulate cart.lag --until 1 --start thet=1",
            2,
            "did you mean `theta`?",
        ),
        (
            "simulate cart.lag --until 1 --set c=1",
            2,
            "expected 2 numbers, found 1",
        ),
        ("simulate cart.lag --until 1 --set l", 2, "has no value"),
        (
            "simulate cart.lag --until 1 --set l=nan",
            2,
            "expected a number",
        ),
        (
            "simulate cart.lag --until 1 --system Cart",
            2,
            "there are: CartPole",
        ),
        ("fmu cart.lag", 2, "which FMU?"),
    ] {
        let error = folder.failed(command, code);
        assert!(
            error.starts_with("error: ") && error.contains(part),
            "{command}: {error}"
        );
    }
    // A run that fails has the rows before the failure.
    let output = folder.run("simulate cart.lag --set m_c=0 --set m_p=0 --set l=1 --until 1");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        error,
        "error: at t = 0: the mass matrix is singular at this state\n"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
}

#[test]
fn models_for_simulators_are_written() {
    let folder = Folder::new("fmu");
    folder.done(&format!(
        "fmu cart.lag --out cart.fmu {PARAMETERS} --start theta=0.3"
    ));
    let bytes = fs::read(folder.0.join("cart.fmu")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for part in [
        "modelDescription.xml",
        "sources/fmu.c",
        "sources/cart_pole.c",
        "description=\"A cart &amp; a pole.\"",
        "<ScalarVariable name=\"der(theta)\"",
        "<ScalarVariable name=\"c[1]\" valueReference=\"4\" causality=\"parameter\" variability=\"tunable\"><Real start=\"1.0\"/>",
        "<ScalarVariable name=\"bob[1]\"",
    ] {
        assert!(text.contains(part), "{part}");
    }
    // The same bytes again.
    folder.done(&format!(
        "fmu cart.lag --out again.fmu {PARAMETERS} --start theta=0.3"
    ));
    assert_eq!(fs::read(folder.0.join("again.fmu")).unwrap(), bytes);
}
