//! The equations of motion, written out for readers.

use lagrange_engine::{
    Dynamics, Graph, Line, Names, NodeId, Quantity, Symbol, Textbook, mathml_name,
};

/// Approximate maximum length of the text in bytes.
const TEXT_BUDGET: usize = 4000;

/// Number of nodes above which a generalized force gets its own line.
const SHORT: u64 = 40;

/// Maximum number of nodes for LaTeX and MathML. LaTeX and MathML repeat common parts, so they suit only small
/// systems. A node takes some ten characters of LaTeX and some fifty of MathML.
const MAX_LATEX: u64 = 3000;
const MAX_MATHML: u64 = 800;

/// Number of different subexpressions of M and h above which all formats show the general form. The text of an arm
/// with seven joints would end before the fourth equation.
const MAX_NODES: usize = 1200;

/// The contents of the constants `EQUATIONS` and `EQUATIONS_MATHML`.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) latex: String,
    pub(crate) mathml: String,
    /// True if MathML has only the general form.
    pub(crate) is_long: bool,
}

/// The energies, one equation `M a + h = Q + J^T lambda` for each coordinate, and the constraints.
pub(crate) fn equations(dynamics: &Dynamics) -> Written {
    let Some(sides) = Sides::of(dynamics) else {
        return write_general(dynamics);
    };
    let is_long = sides.size() > MAX_MATHML;
    Written {
        text: write_text(&sides),
        latex: write_latex(&sides),
        mathml: write_mathml(&sides, is_long),
        is_long,
    }
}

/// The energies and the constraints, and the general form of the equations.
fn write_general(dynamics: &Dynamics) -> Written {
    let mut lines: Vec<Line> = list_energies(dynamics)
        .into_iter()
        .map(|(label, root)| Line::Left(label, root))
        .collect();
    for root in dynamics.constraints_as_written() {
        lines.push(Line::Left("0", root));
    }
    let names = |symbol| name_symbol(dynamics.names(), symbol);
    let listing = dynamics.graph().listing(&lines, &names, TEXT_BUDGET);
    let reactions = Reactions::of(dynamics);
    let rates: Vec<(String, NodeId)> = (0..)
        .map(|i| names(Symbol::StateRate(i)))
        .zip(dynamics.expressions(Quantity::StateRates))
        .collect();
    let has_states = !rates.is_empty();
    let budget = TEXT_BUDGET.saturating_sub(listing.len());
    let rates = dynamics.graph().text_of_all(&rates, &names, budget);
    Written {
        text: listing + &write_general_text(reactions, has_states) + &rates,
        latex: write_general_latex(reactions, has_states),
        mathml: write_math(&write_general_rows(reactions, has_states)),
        is_long: true,
    }
}

/// The forces by multipliers in the general form.
#[derive(Clone, Copy)]
enum Reactions {
    /// There are no constraints.
    Nothing,
    /// J^T lambda
    OfConstraints,
    /// (J^T + B) lambda
    WithForces,
}

impl Reactions {
    fn of(dynamics: &Dynamics) -> Self {
        let sizes = dynamics.sizes();
        let forces = dynamics.expressions(Quantity::MultiplierForces);
        let graph = dynamics.graph();
        let mut rows = forces.chunks((sizes.constraints + sizes.contacts).max(1));
        let act = rows.any(|row| {
            row.iter()
                .take(sizes.constraints)
                .any(|entry| !graph.is_zero(*entry))
        });
        match sizes.constraints {
            0 => Self::Nothing,
            _ if act => Self::WithForces,
            _ => Self::OfConstraints,
        }
    }
}

/// The general form as text.
fn write_general_text(reactions: Reactions, has_states: bool) -> String {
    let text = match reactions {
        Reactions::Nothing => "M(q) q'' + h(q, q') = Q\n",
        Reactions::OfConstraints => {
            "M(q) q'' + h(q, q') = Q + J(q)^T lambda\nJ(q) q'' = gamma(q, q')\n"
        }
        Reactions::WithForces => {
            "M(q) q'' + h(q, q') = Q + (J(q)^T + B) lambda\nJ(q) q'' = gamma(q, q')\n"
        }
    };
    match has_states {
        true => text.replace("h(q, q')", "h(q, q', z)"),
        false => text.to_owned(),
    }
}

/// T and V, or L.
fn list_energies(dynamics: &Dynamics) -> Vec<(&'static str, NodeId)> {
    let quantities: &[Quantity] = if dynamics.is_natural() {
        &[Quantity::KineticEnergy, Quantity::PotentialEnergy]
    } else {
        &[Quantity::Lagrangian]
    };
    quantities
        .iter()
        .flat_map(|quantity| {
            dynamics
                .expressions(*quantity)
                .into_iter()
                .map(|entry| (quantity.symbol(), entry))
        })
        .collect()
}

/// Both sides of the equations, in the graph that holds them.
struct Sides<'a> {
    graph: Graph,
    names: &'a Names,
    /// The names of the constraints.
    rows: Vec<String>,
    energies: Vec<(&'static str, NodeId)>,
    equations: Textbook,
    /// Q + J^T lambda.
    right: Vec<NodeId>,
    /// The rates of first-order states: their symbols and values.
    rates: Vec<(NodeId, NodeId)>,
    reactions: Reactions,
}

impl<'a> Sides<'a> {
    /// `None` for a system with long equations.
    fn of(dynamics: &'a Dynamics) -> Option<Self> {
        let energies = list_energies(dynamics);
        let equations = dynamics.textbook(MAX_NODES)?;
        let mut graph = dynamics.graph().clone();
        let right = equations
            .forces
            .iter()
            .zip(&equations.reactions)
            .map(|(force, reaction)| graph.add(*force, *reaction))
            .collect();
        let rates = (0..)
            .map(Symbol::StateRate)
            .zip(&equations.state_rates)
            .map(|(symbol, rate)| (graph.symbol(symbol), *rate));
        Some(Sides {
            rates: rates.collect(),
            names: dynamics.names(),
            rows: dynamics.constraint_names(),
            energies,
            right,
            reactions: Reactions::of(dynamics),
            equations,
            graph,
        })
    }

    /// The name of the constraint that belongs to this multiplier.
    fn row_of(&self, symbol: Symbol) -> Option<&str> {
        let Symbol::Multiplier(row) = symbol else {
            return None;
        };
        self.rows.get(row as usize).map(String::as_str)
    }

    fn plain_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda.{row}"),
            None => name_symbol(self.names, symbol),
        }
    }

    /// The number of nodes of all expressions, written out.
    fn size(&self) -> u64 {
        let Textbook { left, zeros, .. } = &self.equations;
        let mut roots: Vec<NodeId> = self.energies.iter().map(|(_, root)| *root).collect();
        for group in [left, &self.right, zeros] {
            roots.extend(group);
        }
        roots.extend(self.rates.iter().map(|(_, rate)| *rate));
        self.graph.written_size(&roots)
    }

    fn latex_name(&self, symbol: Symbol) -> String {
        match self.row_of(symbol) {
            Some(row) => format!("lambda_{row}"),
            None => name_symbol(self.names, symbol),
        }
    }
}

fn write_text(sides: &Sides) -> String {
    let rights: Vec<Right> = (0..sides.right.len())
        .map(|row| write_right_side(sides, row))
        .collect();
    let mut lines: Vec<Line> = sides
        .energies
        .iter()
        .map(|(label, root)| Line::Left(label, *root))
        .collect();
    for (right, inertia) in rights.iter().zip(&sides.equations.left) {
        for (label, part) in &right.definitions {
            lines.push(Line::Left(label, *part));
        }
        // In lines with definitions, the name is on the left. The equation then has the name on the right.
        lines.push(if right.definitions.is_empty() {
            Line::Left(&right.text, *inertia)
        } else {
            Line::Right(*inertia, &right.text)
        });
    }
    let names = |symbol| sides.plain_name(symbol);
    let labels: Vec<String> = sides
        .rates
        .iter()
        .map(|(left, _)| sides.graph.text(*left, &names))
        .collect();
    for (label, (_, rate)) in labels.iter().zip(&sides.rates) {
        lines.push(Line::Left(label, *rate));
    }
    for root in &sides.equations.zeros {
        lines.push(Line::Left("0", *root));
    }
    sides.graph.listing(&lines, &names, TEXT_BUDGET)
}

/// Q + J^T lambda of one row.
struct Right {
    text: String,
    /// The names that shorten the text, and their values.
    definitions: Vec<(String, NodeId)>,
}

fn write_right_side(sides: &Sides, row: usize) -> Right {
    let total = sides.right[row];
    if sides.graph.written_size(&[total]) <= SHORT {
        let names = |symbol| sides.plain_name(symbol);
        return Right {
            text: sides.graph.text(total, &names),
            definitions: Vec::new(),
        };
    }
    let velocities = sides.names.velocities();
    let name = velocities[row].replace("der(", "").replace(')', "");
    let definitions: Vec<(String, NodeId)> = [
        ("Q", sides.equations.forces[row]),
        ("R", sides.equations.reactions[row]),
    ]
    .into_iter()
    .filter(|(_, part)| !sides.graph.is_zero(*part))
    .map(|(letter, part)| (format!("{letter}.{name}"), part))
    .collect();
    let labels: Vec<&str> = definitions.iter().map(|(label, _)| &label[..]).collect();
    Right {
        text: labels.join(" + "),
        definitions,
    }
}

fn write_latex(sides: &Sides) -> String {
    let Textbook { left, zeros, .. } = &sides.equations;
    if sides.size() > MAX_LATEX {
        return write_general_latex(sides.reactions, !sides.rates.is_empty());
    }
    let names = |symbol| sides.latex_name(symbol);
    let latex = |root: &NodeId| sides.graph.latex(*root, &names);
    let energies = sides
        .energies
        .iter()
        .map(|(label, root)| format!("{label} &= {}", latex(root)));
    let motion = left
        .iter()
        .zip(&sides.right)
        .map(|(inertia, right)| format!("{} &= {}", latex(inertia), latex(right)));
    let rates = sides
        .rates
        .iter()
        .map(|(left, right)| format!("{} &= {}", latex(left), latex(right)));
    let constraints = zeros.iter().map(|root| format!("0 &= {}", latex(root)));
    let rows: Vec<String> = energies
        .chain(motion)
        .chain(rates)
        .chain(constraints)
        .collect();
    rows.join(" \\\\\n")
}

/// The general form, used if the equations are too long.
fn write_general_latex(reactions: Reactions, has_states: bool) -> String {
    let motion = match reactions {
        Reactions::Nothing => r"M(q) \ddot{q} + h(q, \dot{q}) &= Q",
        Reactions::OfConstraints => {
            "M(q) \\ddot{q} + h(q, \\dot{q}) &= Q + J(q)^{T} \\lambda \\\\\n\
             J(q) \\ddot{q} &= \\gamma(q, \\dot{q})"
        }
        Reactions::WithForces => {
            "M(q) \\ddot{q} + h(q, \\dot{q}) &= Q + (J(q)^{T} + B) \\lambda \\\\\n\
             J(q) \\ddot{q} &= \\gamma(q, \\dot{q})"
        }
    };
    if !has_states {
        return motion.to_owned();
    }
    motion.replace(r"h(q, \dot{q})", r"h(q, \dot{q}, z)")
        + " \\\\\n\\dot{z} &= f(q, \\dot{q}, z, u)"
}

/// A `math` element with one row for each energy, equation and constraint.
fn write_mathml(sides: &Sides, is_long: bool) -> String {
    let Textbook { left, zeros, .. } = &sides.equations;
    if is_long {
        return write_math(&write_general_rows(
            sides.reactions,
            !sides.rates.is_empty(),
        ));
    }
    let names = |symbol| sides.latex_name(symbol);
    let written = |root: &NodeId| sides.graph.mathml(*root, &names);
    let energies = sides
        .energies
        .iter()
        .map(|(label, root)| write_row(&mathml_name(label), &written(root)));
    let motion = left
        .iter()
        .zip(&sides.right)
        .map(|(inertia, right)| write_row(&written(inertia), &written(right)));
    let rates = sides
        .rates
        .iter()
        .map(|(left, right)| write_row(&written(left), &written(right)));
    let constraints = zeros
        .iter()
        .map(|root| write_row("<mn>0</mn>", &written(root)));
    let rows: String = energies
        .chain(motion)
        .chain(rates)
        .chain(constraints)
        .collect();
    write_math(&rows)
}

/// M(q) a + h(q, v) = Q, with constraints J^T lambda or (J^T + B) lambda on the right and J a = gamma below.
fn write_general_rows(reactions: Reactions, has_states: bool) -> String {
    let of = |letter: &str, arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|name| mathml_name(name)).collect();
        let arguments = arguments.join(r#"<mo separator="true">,</mo>"#);
        let letter = mathml_name(letter);
        format!("{letter}<mrow><mo>(</mo>{arguments}<mo>)</mo></mrow>")
    };
    let (a, q) = (mathml_name("q''"), mathml_name("Q"));
    let state: &[&str] = if has_states {
        &["q", "q'", "z"]
    } else {
        &["q", "q'"]
    };
    let left = format!("{}{a}<mo>+</mo>{}", of("M", &["q"]), of("h", state));
    let rates = match has_states {
        true => write_row(&mathml_name("z'"), &of("f", &["q", "q'", "z", "u"])),
        false => String::new(),
    };
    let lambda = mathml_name("lambda");
    let transposed = format!("<msup><mrow>{}</mrow><mi>T</mi></msup>", of("J", &["q"]));
    let transposed = match reactions {
        Reactions::Nothing => return write_row(&left, &q) + &rates,
        Reactions::OfConstraints => transposed,
        Reactions::WithForces => {
            let forces = mathml_name("B");
            format!("<mrow><mo>(</mo>{transposed}<mo>+</mo>{forces}<mo>)</mo></mrow>")
        }
    };
    let first = write_row(&left, &format!("{q}<mo>+</mo>{transposed}{lambda}"));
    let second = write_row(
        &format!("{}{a}", of("J", &["q"])),
        &of("gamma", &["q", "q'"]),
    );
    first + &second + &rates
}

/// `left = right` in its own line. Aligned at the sign, a long left side would move short left sides out of view.
fn write_row(left: &str, right: &str) -> String {
    format!("<mtr><mtd style=\"text-align:left\">{left}<mo>=</mo>{right}</mtd></mtr>")
}

fn write_math(rows: &str) -> String {
    format!(r#"<math display="block"><mtable displaystyle="true">{rows}</mtable></math>"#)
}

/// Symbols in plain text. Velocities and accelerations are the names of their coordinates with primes, or
/// `omega_att.x` for a rotation.
pub(super) fn name_symbol(names: &Names, symbol: Symbol) -> String {
    let name = match symbol {
        Symbol::Velocity(i) => return name_velocity(names, i as usize),
        Symbol::Acceleration(i) => return name_velocity(names, i as usize) + "'",
        Symbol::Coordinate(i) => names.coordinates.get(i as usize),
        Symbol::Parameter(i) => names.parameters.get(i as usize),
        Symbol::State(i) => names.states.get(i as usize),
        Symbol::StateRate(i) => {
            return names
                .states
                .get(i as usize)
                .map(|name| format!("{name}'"))
                .unwrap_or_default();
        }
        Symbol::Input(i) => names.inputs.get(i as usize),
        Symbol::Time => names.time.as_ref(),
        Symbol::Multiplier(_) | Symbol::Momentum(_) | Symbol::Weight(_) => None,
    };
    name.cloned().unwrap_or_default()
}

fn name_velocity(names: &Names, velocity: usize) -> String {
    let kinematics = names.kinematics();
    let name = |coordinate: usize| names.coordinates.get(coordinate).cloned();
    match kinematics.rotation_of_velocity(velocity) {
        Some(rotation) => name(rotation.coordinate + velocity - rotation.velocity)
            .map(|axis| format!("omega_{axis}")),
        None => kinematics
            .coordinate_of_velocity(velocity)
            .and_then(name)
            .map(|coordinate| coordinate + "'"),
    }
    .unwrap_or_default()
}
