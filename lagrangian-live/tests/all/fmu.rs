//! FMUs, compiled and stepped as a simulator does it.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use super::program::Folder;

/// A simulator with the classical Runge-Kutta method of order 4. It prints the number of steps, the number of events, the
/// largest residual of the first outputs that follow the energy, the largest error of the length of a quaternion, and the
/// first and the last energy.
const SIMULATOR: &str = r#"
#include <stdio.h>
#include "fmu.c"

static fmi2Component c;

static void stop(int line)
{
    printf("line %d\n", line);
    exit(1);
}
#define DO(call) do { if ((call) != fmi2OK) stop(__LINE__); } while (0)

static void rates(double t, const double *y, double *dy)
{
    DO(fmi2SetTime(c, t));
    DO(fmi2SetContinuousStates(c, y, STATES));
    DO(fmi2GetDerivatives(c, dy, STATES));
}

/* The event mode; the state may change. */
static void event(double *y)
{
    fmi2EventInfo info;
    DO(fmi2NewDiscreteStates(c, &info));
    if (info.newDiscreteStatesNeeded || info.terminateSimulation) stop(__LINE__);
    if (info.valuesOfContinuousStatesChanged) DO(fmi2GetContinuousStates(c, y, STATES));
    DO(fmi2EnterContinuousTimeMode(c));
}

/* Arguments: the length of a step, the number of steps, whether events are heeded, the tolerance or 0, the number of
   constraints, the place of a quaternion or -1. */
int main(int count, char **words)
{
    const fmi2CallbackFunctions callbacks = {0};
    const double h = atof(words[1]), tolerance = atof(words[4]);
    const int steps = atoi(words[2]), heeded = atoi(words[3]), rows = atoi(words[5]), quaternion = atoi(words[6]);
    double y[STATES], k[4][STATES], off = 0, longer = 0, energy[2];
    int events = 0, step, i, j;
    (void)count;
    c = fmi2Instantiate("test", fmi2ModelExchange, GUID, "", &callbacks, 0, 0);
    if (!c) stop(__LINE__);
    DO(fmi2SetupExperiment(c, tolerance > 0, tolerance, 0, 0, 0));
    DO(fmi2EnterInitializationMode(c));
    DO(fmi2ExitInitializationMode(c));
    DO(fmi2GetContinuousStates(c, y, STATES));
    event(y);
    for (step = 0; step <= steps; step++) {
        const double t = h * step;
        fmi2ValueReference number = OUTPUT;
        fmi2Boolean enter, end;
        DO(fmi2GetReal(c, &number, 1, &energy[step > 0]));
        for (i = 0; i < rows; i++) {
            double residual;
            number = OUTPUT + 1 + (fmi2ValueReference)i;
            DO(fmi2GetReal(c, &number, 1, &residual));
            off = fmax(off, fabs(residual));
        }
        if (quaternion >= 0) {
            double length = 0;
            for (i = quaternion; i < quaternion + 4; i++) length += y[i] * y[i];
            longer = fmax(longer, fabs(sqrt(length) - 1));
        }
        if (step == steps) break;
        for (i = 0; i < 4; i++) {
            static const double AT[4] = {0, 0.5, 0.5, 1};
            double z[STATES];
            for (j = 0; j < STATES; j++) z[j] = y[j] + h * AT[i] * (i ? k[i - 1][j] : 0);
            rates(t + h * AT[i], z, k[i]);
        }
        for (j = 0; j < STATES; j++) y[j] += h * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]) / 6;
        DO(fmi2SetTime(c, h * (step + 1)));
        DO(fmi2SetContinuousStates(c, y, STATES));
        DO(fmi2CompletedIntegratorStep(c, 1, &enter, &end));
        if (end) stop(__LINE__);
        if (!enter) continue;
        events++;
        if (!heeded) continue;
        DO(fmi2EnterEventMode(c));
        event(y);
    }
    fmi2FreeInstance(c);
    printf("%d %d %.17g %.17g %.17g %.17g\n", steps, events, off, longer, energy[0], energy[1]);
    return 0;
}
"#;

/// The files of an archive whose files are stored as they are.
fn files(archive: &[u8]) -> Vec<(String, &[u8])> {
    let (mut files, mut rest) = (Vec::new(), archive);
    while rest.starts_with(b"PK\x03\x04") {
        let number = |at: usize, bytes: usize| {
            let digits = rest[at..at + bytes].iter().rev();
            digits.fold(0, |number, digit| number << 8 | usize::from(*digit))
        };
        let (size, name, extra) = (number(22, 4), number(26, 2), number(28, 2));
        let content = 30 + name + extra;
        files.push((
            String::from_utf8(rest[30..30 + name].to_vec()).unwrap(),
            &rest[content..content + size],
        ));
        rest = &rest[content + size..];
    }
    files
}

/// A run of the simulator.
#[derive(Debug)]
struct Run {
    steps: usize,
    events: usize,
    off: f64,
    longer: f64,
    energy: [f64; 2],
}

/// The simulator with the FMU of a declaration. `None` without a compiler.
struct Simulator<'a>(&'a Path);

impl<'a> Simulator<'a> {
    fn new(folder: &'a Folder, declaration: &str, start: &str) -> Option<Self> {
        folder.write("system.lag", declaration);
        folder.done(&format!("fmu system.lag --out system.fmu {start}"));
        let archive = fs::read(folder.path().join("system.fmu")).unwrap();
        let path = folder.path();
        for (name, content) in files(&archive) {
            if let Some(name) = name.strip_prefix("sources/") {
                fs::write(path.join(name), content).unwrap();
            }
        }
        folder.write("simulator.c", SIMULATOR);
        let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command.args([
            "-std=c99",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
        ]);
        command.args(["-o", "simulator", "simulator.c", "-lm"]);
        let Ok(output) = command.current_dir(path).output() else {
            eprintln!("there is no `cc`: no FMU is stepped");
            return None;
        };
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}");
        Some(Self(path))
    }

    /// Steps the system; `constraints` are the numbers of rows and the place of a quaternion.
    fn run(&self, (h, steps): (f64, usize), options: &str, constraints: (usize, i32)) -> Run {
        let (rows, quaternion) = constraints;
        let words = format!("{h} {steps} {options} {rows} {quaternion}");
        let mut command = Command::new(self.0.join("simulator"));
        let output = command.args(words.split(' ')).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{words}: {text}");
        let numbers: Vec<f64> = text
            .split_whitespace()
            .map(|number| number.parse().unwrap())
            .collect();
        let [steps, events, off, longer, first, last] = numbers[..] else {
            panic!("{text}")
        };
        Run {
            steps: steps as usize,
            events: events as usize,
            off,
            longer,
            energy: [first, last],
        }
    }
}

#[test]
fn a_linkage_stays_closed() {
    let folder = Folder::new("fmu_linkage");
    let declaration = include_str!("../../../examples/fmu/four_bar.lag");
    // The start is off the loop by a third of the longest bar.
    let start = "--start coupler=1.3 --start rocker=1.8 --start der(crank)=4";
    let Some(simulator) = Simulator::new(&folder, declaration, start) else {
        return;
    };
    // 200 s, some hundred turns of the crank.
    let length = (0.01, 20_000);
    let free = simulator.run(length, "0 0", (2, -1));
    assert!(free.off > 1e-4, "{free:?}");
    // Without a tolerance the loop is closed to the square root of rounding, beside bars of 0.5 m.
    let run = simulator.run(length, "1 0", (2, -1));
    assert!(run.off < 5e-8, "{run:?}");
    assert!(0 < run.events && run.events < run.steps / 20, "{run:?}");
    let change = |run: &Run| (run.energy[1] - run.energy[0]).abs();
    assert!(change(&run) < 0.01 * change(&free), "{run:?} {free:?}");
    // With one, to the tolerance: there are fewer events.
    let loose = simulator.run(length, "1 1e-4", (2, -1));
    assert!(loose.off < 2e-4 && loose.off > run.off, "{loose:?}");
    assert!(0 < loose.events && loose.events < run.events, "{loose:?}");
}

#[test]
fn units_do_not_matter() {
    let folder = Folder::new("fmu_units");
    let declaration = include_str!("../../../examples/fmu/four_bar.lag");
    let start = "--start coupler=1.3 --start rocker=1.8 --start der(crank)=4";
    let Some(simulator) = Simulator::new(&folder, declaration, start) else {
        return;
    };
    let meters = simulator.run((0.01, 2000), "1 0", (2, -1));
    // Lengths in units of 2^-20 m, and masses in units that keep the energies.
    let unit = f64::from(1 << 20);
    let scaled = format!(
        "{start} --set a={} --set b={} --set c={} --set d={} --set density={} --set g={}",
        0.2 * unit,
        0.5 * unit,
        0.5 * unit,
        0.4 * unit,
        unit.powi(-3),
        9.81 * unit,
    );
    let Some(simulator) = Simulator::new(&folder, declaration, &scaled) else {
        return;
    };
    let small = simulator.run((0.01, 2000), "1 0", (2, -1));
    assert_eq!(small.events, meters.events);
    assert!(
        (small.off / unit / meters.off - 1.0).abs() < 1e-6,
        "{small:?} {meters:?}"
    );
}

#[test]
fn a_body_on_a_growing_rod_stays_on_it() {
    let folder = Folder::new("fmu_body");
    let declaration = "struct Body { p: coordinate[3], att: rotation, t: time, m: parameter = 2 }
        frame B = world.translate(p).rotate(att);
        body { frame: B, mass: m, inertia: diag(1, 2, 3) }
        gravity [0, 0, -9.81];
        holonomic rod: B.point([0.1, 0.2, 0])^2 = 1 + t / 100;
        nonholonomic skate: der(p).x = 0.2 * der(p).y;";
    let start = "--start p=[0.5,0,-1] --start der(att)=[1,3,0.5]";
    let Some(simulator) = Simulator::new(&folder, declaration, start) else {
        return;
    };
    let run = simulator.run((0.01, 10_000), "1 0", (1, 3));
    assert!(run.off < 5e-7 && run.longer < 2e-8, "{run:?}");
    assert!(0 < run.events && run.events < run.steps, "{run:?}");
    let free = simulator.run((0.01, 10_000), "0 0", (1, 3));
    assert!(free.off > 10.0 * run.off, "{free:?}");
}

#[test]
fn a_quaternion_keeps_its_length() {
    let folder = Folder::new("fmu_top");
    let declaration = include_str!("../../../examples/fmu/top.lag");
    let start = "--start att=[0.1,0,0,1] --start der(att)=[0,0,10]";
    let Some(simulator) = Simulator::new(&folder, declaration, start) else {
        return;
    };
    let run = simulator.run((0.01, 5_000), "1 0", (0, 0));
    assert!(run.longer < 5e-8 && run.events > 0, "{run:?}");
    let free = simulator.run((0.01, 5_000), "0 0", (0, 0));
    assert!(free.longer > 100.0 * run.longer, "{free:?}");
}

#[test]
fn rows_that_depend_on_each_other_hold_together() {
    let folder = Folder::new("fmu_redundant");
    // The second rod is the first one, but for digits that its file does not have.
    let declaration = "#[lagrangian(redundant)]
        struct Bob { r: coordinate[2], l: parameter = 0.7, k: parameter = 0.700000001 }
        T = der(r)^2 / 2;
        V = 9.81 * r.y;
        holonomic rod: r^2 = l^2;
        holonomic again: r^2 = k^2;";
    let start = "--start r=[0.7,0] --start der(r)=[0,1]";
    let Some(simulator) = Simulator::new(&folder, declaration, start) else {
        return;
    };
    let run = simulator.run((0.002, 50_000), "1 0", (2, -1));
    assert!(run.off < 1e-7, "{run:?}");
    assert!(0 < run.events && run.events < run.steps / 25, "{run:?}");
    // Without projections the rows disagree later on, and the accelerations end.
    let free = simulator.run((0.002, 5_000), "0 0", (2, -1));
    assert!(free.off > 10.0 * run.off, "{free:?}");
}
