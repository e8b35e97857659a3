//! Writes the CUDA programs that `run` compiles: for each system its exported text, states, and the accelerations of the
//! methods in Rust there.
//!
//! ```text
//! cargo run -- FOLDER
//! ```

mod systems;

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

use systems::{CartPole, Chain2, Chain10, Chain20, FourBar, Humanoid, Iiwa, Panda, Quadruped};

/// As many states are compared with Rust, and repeated in the batches.
const STATES: usize = 64;

/// Knuth's MMIX generator.
struct Draw(u64);

impl Draw {
    /// A number between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The states of a system, and the accelerations there, one state after the other.
#[derive(Default)]
struct Data {
    q: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    a: Vec<f64>,
    parameters: Vec<f64>,
}

/// The text and the data of a system without time; `projected` moves states onto the constraints.
macro_rules! program {
    ($name:ident $word:literal, $parameters:expr $(, $projected:ident)?) => {{
        let system = $name::<f64>::default();
        let (mut draw, mut data) = (Draw(1), Data::default());
        data.parameters = $parameters(&system);
        for _ in 0..STATES {
            let d = system.neutral().map(|_| draw.next());
            let d = lagrangian::nalgebra::SVector::from_fn(|i, _| 2.0 * d[i]);
            let q = system.integrate(&system.neutral(), &d);
            let v = d.map(|_| 2.0 * draw.next());
            $(let (q, v) = system.$projected(&q, &v)?;)?
            let u: [f64; $name::<f64>::INPUTS.len()] = std::array::from_fn(|_| 2.0 * draw.next());
            let a = lagrangian::System::acceleration(&system, 0.0, &q, &v, &u.into())?;
            data.q.extend(&q);
            data.v.extend(&v);
            data.u.extend(u);
            data.a.extend(&a);
        }
        ($word, $name::<f64>::CUDA, data)
    }};
}

/// `name[] = {..};`
fn array(name: &str, values: &[f64]) -> String {
    let mut text = format!("static const double {name}[] = {{");
    for value in values {
        let _ = write!(text, "{value:?}, ");
    }
    text + "0};\n"
}

fn four_bar(system: &FourBar<f64>) -> Vec<f64> {
    let FourBar {
        m,
        l1,
        l2,
        l3,
        base,
        g,
    } = *system;
    [&m[..], &[l1, l2, l3, base, g]].concat()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(
        env::args_os()
            .nth(1)
            .ok_or("usage: lagrangian-gpu FOLDER")?,
    );
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("measure.h"), include_str!("measure.h"))?;
    let programs = [
        program!(CartPole "cart_pole", |s: &CartPole<f64>| vec![s.m_c, s.m_p, s.l, s.g]),
        program!(Chain2 "chain2", |s: &Chain2<f64>| [&s.m[..], &s.l, &[s.g]].concat()),
        program!(Chain10 "chain10", |s: &Chain10<f64>| [&s.m[..], &s.l, &[s.g]].concat()),
        program!(Chain20 "chain20", |s: &Chain20<f64>| [&s.m[..], &s.l, &[s.g]].concat()),
        program!(FourBar "four_bar", four_bar, project),
        program!(Iiwa "iiwa", |_| Vec::new()),
        program!(Panda "panda", |_| Vec::new()),
        program!(Quadruped "quadruped", |_| Vec::new()),
        program!(Humanoid "humanoid", |_| Vec::new()),
    ];
    for (name, text, data) in &programs {
        fs::write(folder.join(format!("{name}.cuh")), text)?;
        let lengths = [&data.q, &data.v, &data.u].map(|values| values.len() / STATES);
        let [coordinates, velocities, inputs] = lengths;
        let mut program = format!(
            "#define SYSTEM {name}\n#define COORDINATES {coordinates}\n#define VELOCITIES {velocities}\n\
             #define INPUTS {inputs}\n#define STATES {STATES}\n#include \"measure.h\"\n#include \"{name}.cuh\"\n"
        );
        for (name, values) in [
            ("q", &data.q),
            ("v", &data.v),
            ("u", &data.u),
            ("a", &data.a),
        ] {
            program += &array(&format!("states_{name}"), values);
        }
        program += &array("parameters", &data.parameters);
        fs::write(folder.join(format!("{name}.cu")), program + "MEASURE\n")?;
    }
    Ok(())
}
