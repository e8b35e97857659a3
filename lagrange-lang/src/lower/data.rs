//! Curves through points, and columns of files.

mod csv;

use std::sync::Arc;

use lagrange_engine::{
    Curve, CurveKind, Dependence, NodeId, Number, Piecewise, Shape, Symbol, equally_spaced,
};
use proc_macro2::Ident;

use super::evaluator::Evaluator;
use super::units::words;
use super::value::{Value, in_words};
use crate::errors::{Code, SpanRange};
use crate::suggest;
use crate::syntax::ast::{Expr, ExprKind};
use crate::tables::CurveEntry;
use crate::units::{Literal, Side};

/// The places of points.
enum Places {
    Listed(Value),
    /// Equally spaced from one value to another.
    Range([NodeId; 2]),
}

impl Evaluator<'_> {
    /// `table(x, xs, ys)` and its kin.
    pub(super) fn curve(
        &mut self,
        kind: CurveKind,
        name: &Ident,
        [of_x, of_xs, of_ys]: [&Expr; 3],
    ) -> Option<Value> {
        let x = self.evaluate(of_x);
        let rule = format!("mismatched shapes: `{name}` takes a scalar");
        let x = x.and_then(|x| self.expect_scalar(of_x, &x, &rule));
        let places = self.evaluate_places(kind, of_xs);
        let ys = self.evaluate_points(kind, of_ys, false);
        let (places, ys) = (places?, ys?);
        let count = ys.entries.len();
        let (points, place_count) = match &places {
            Places::Listed(value) => (of_xs, value.entries.len()),
            Places::Range(_) => (of_ys, count),
        };
        let fewest = kind.fewest();
        if place_count < fewest {
            let what = match kind {
                CurveKind::Bspline => "control values",
                _ => "points",
            };
            let message = format!(
                "`{name}` has at least {fewest} {what}, found {place_count}\n\nhelp: give more of them"
            );
            return self.refuse(points, Code::Points, message);
        }
        let xs = self.read_numbers_at(kind, (of_xs, &places), count)?;
        if xs.len() != count && kind != CurveKind::Bspline {
            let message = format!(
                "`{name}` has {} places and {count} values\n\nhelp: give each place one value",
                xs.len()
            );
            return self.refuse(of_ys, Code::Points, message);
        }
        let values = self.read_numbers(&ys.entries);
        let uniform = matches!(places, Places::Range(_));
        let curve = match (kind, &values) {
            (CurveKind::Bspline, Some(values)) => Curve::bspline(xs[0], xs[xs.len() - 1], values),
            (CurveKind::Bspline, None) => Curve::knots(xs[0], xs[xs.len() - 1], count),
            (_, values) => Curve::through(kind, &xs, values.as_deref()?, uniform),
        };
        let Some(curve) = curve else {
            let message = format!("overflow: the slopes of this `{name}` are beyond every number");
            return self.refuse(of_ys, Code::Overflow, message);
        };
        let x = x?;
        self.afford(of_ys, count)?;
        let controls = if curve.has_controls() {
            &ys.entries[..]
        } else {
            &[]
        };
        let of = Piecewise {
            curve: Arc::new(curve),
            order: 0,
        };
        self.curves.push(CurveEntry {
            curve: of.curve.clone(),
            x,
            place: name.span(),
            attributes: Vec::new(),
        });
        if self.facts.is_none() {
            return Some(Value::scalar(self.graph.curve(of, x, controls)));
        }
        let of_places = match places {
            Places::Listed(value) => value.entries,
            Places::Range(ends) => ends.to_vec(),
        };
        let places = self.find_common_unit(of_xs, &of_places);
        let heights = self.find_common_unit(of_ys, &ys.entries);
        let x = self.symbolize(x);
        let sides = [
            Side::node(x, words(of_x)),
            Side::node(places, format!("a place of `{name}`")),
        ];
        self.note_fact(of_x, sides);
        let ratio = self.graph.div(x, places);
        // The unit of the values is that of the first factor.
        let curve = self.graph.curve(of, ratio, &[]);
        Some(Value::scalar(self.graph.mul(heights, curve)))
    }

    /// A value with the unit that all entries have.
    fn find_common_unit(&mut self, expr: &Expr, entries: &[NodeId]) -> NodeId {
        self.note_one_unit(expr, entries);
        let is_named = |entry: &&NodeId| self.graph.dependence(**entry) != Dependence::NONE;
        match (entries.iter().find(is_named), &mut self.facts) {
            (Some(known), _) => *known,
            (None, Some(facts)) => {
                let literal = Literal {
                    number: Number::ONE,
                    label: None,
                };
                let symbol = facts.literal(literal);
                self.graph.symbol(symbol)
            }
            (None, None) => self.graph.integer(1),
        }
    }

    /// The vector of a curve's values, or of its places. Control values may depend on anything.
    fn evaluate_points(&mut self, kind: CurveKind, expr: &Expr, are_places: bool) -> Option<Value> {
        let mark = self.mark();
        let value = match &expr.kind {
            ExprKind::Range { .. } => {
                let message = format!(
                    "the values of `{}` are a vector\n\nhelp: write them as `[a, b, ..]`",
                    kind.name()
                );
                return self.refuse(expr, Code::Points, message);
            }
            _ => self.evaluate(expr)?,
        };
        if are_places || kind != CurveKind::Bspline {
            self.check_constant(kind, expr, &value, (mark, are_places))?;
        }
        let Shape::Vector(_) = value.shape else {
            let message = format!(
                "mismatched shapes: `{}` takes a vector, found {}",
                kind.name(),
                in_words(value.shape)
            );
            return self.refuse(expr, Code::WrongShape, message);
        };
        Some(value)
    }

    fn evaluate_places(&mut self, kind: CurveKind, expr: &Expr) -> Option<Places> {
        let ExprKind::Range { from, to } = &expr.kind else {
            if kind == CurveKind::Bspline {
                self.pass_over(expr);
                let message = "the knots of `bspline` are equally spaced\n\n\
                               help: write the range `a..b` between the first and the last one";
                return self.refuse(expr, Code::Points, message);
            }
            return self.evaluate_points(kind, expr, true).map(Places::Listed);
        };
        let ends = [from, to].map(|end| {
            let mark = self.mark();
            let value = self.evaluate(end)?;
            let node = self.expect_scalar(end, &value, "the end of a range is a scalar")?;
            self.check_constant(kind, end, &value, (mark, true))?;
            Some(self.symbolize(node))
        });
        Some(Places::Range([ends[0]?, ends[1]?]))
    }

    /// The places of `count` points in ascending order, of B-splines the knots.
    fn read_numbers_at(
        &mut self,
        kind: CurveKind,
        (expr, places): (&Expr, &Places),
        count: usize,
    ) -> Option<Vec<f64>> {
        match places {
            Places::Range(ends) => {
                let ends = self.read_numbers(ends)?;
                let count = match kind {
                    CurveKind::Bspline => count.saturating_sub(2),
                    _ => count,
                };
                let knots = equally_spaced(ends[0], ends[1], count);
                if knots.is_none() {
                    let message = format!(
                        "the range of `{}` does not increase: it goes from {:?} to {:?}\n\nhelp: write the smaller end first",
                        kind.name(),
                        ends[0],
                        ends[1]
                    );
                    return self.refuse(expr, Code::Points, message);
                }
                knots
            }
            Places::Listed(value) => {
                let numbers = self.read_numbers(&value.entries)?;
                let Some(position) = numbers.windows(2).position(|pair| pair[0] >= pair[1]) else {
                    return Some(numbers);
                };
                let place = match &expr.kind {
                    ExprKind::List(elements) => elements.get(position + 1).unwrap_or(expr),
                    _ => expr,
                };
                let message = format!(
                    "the places of `{}` increase, but entry {} is {:?} and entry {position} is {:?}\n\n\
                     help: put the points in ascending order",
                    kind.name(),
                    position + 1,
                    numbers[position + 1],
                    numbers[position]
                );
                self.refuse(place, Code::Points, message)
            }
        }
    }

    /// The values of constants; `None` if one of them is none.
    fn read_numbers(&mut self, entries: &[NodeId]) -> Option<Vec<f64>> {
        let plain = self.replace_symbols_of_numbers(entries);
        plain
            .into_iter()
            .map(|entry| Some(self.estimate_constant(entry)?[1]))
            .collect()
    }

    fn check_constant(
        &mut self,
        kind: CurveKind,
        expr: &Expr,
        value: &Value,
        (mark, are_places): (usize, bool),
    ) -> Option<()> {
        if self.read_numbers(&value.entries).is_some() {
            return Some(());
        }
        let everything = Dependence::MOTION.union(Dependence::PARAMETER);
        let culprits = self.find_culprits(value, everything, mark);
        let Some(culprit) = culprits.first() else {
            let message = format!("a point of `{}` is no finite number", kind.name());
            return self.refuse(expr, Code::Points, message);
        };
        let name = self.name_of(culprit.symbol);
        let help = match culprit.symbol {
            Symbol::Parameter(_) if !are_places => {
                "control values that are parameters are those of `bspline(x, a..b, c)`"
            }
            _ => {
                "write numbers, a `let` of numbers, or a column of a file, `csv(\"points.csv\", \"y\")`"
            }
        };
        let message = format!(
            "the points of `{}` are constants, but `{name}` is none\n\nhelp: {help}",
            kind.name()
        );
        self.refuse(culprit.place, Code::Points, message)
    }

    /// `csv("points.csv", "y")`
    pub(super) fn column(&mut self, name: &Ident, [path, column]: [&Expr; 2]) -> Option<Value> {
        let [Some((path, place)), Some((column, of_column))] = [path, column].map(string) else {
            let message = "`csv` takes the path of a file and the name of a column as strings\n\n\
                           help: write `csv(\"points.csv\", \"y\")`";
            let wrong = if string(path).is_none() { path } else { column };
            self.pass_over(wrong);
            return self.refuse(wrong, Code::DataFile, message);
        };
        let text = match self.folder.read(path) {
            Ok(text) => text,
            Err(message) => return self.refuse_file(place, message),
        };
        if !self.files.iter().any(|known| known == path) {
            self.files.push(path.to_owned());
        }
        let numbers = match csv::column(&text, column) {
            Ok(numbers) => numbers,
            Err(csv::Mistake::Unknown(names)) => {
                let known = names.iter().map(String::as_str);
                let help = match suggest::help(column, known) {
                    help if help.is_empty() => {
                        format!("\n\nhelp: its columns are `{}`", names.join("`, `"))
                    }
                    help => help,
                };
                let message = format!("`{path}` has no column `{column}`{help}");
                return self.refuse_file(of_column, message);
            }
            Err(csv::Mistake::Line(line, message)) => {
                return self.refuse_file(place, format!("{path}:{line}: {message}"));
            }
        };
        self.afford(name.span(), numbers.len())?;
        // All numbers of a column have one unit.
        let unit = self.facts.as_mut().map(|facts| {
            let literal = Literal {
                number: Number::ONE,
                label: None,
            };
            facts.literal(literal)
        });
        let graph = &mut self.graph;
        let entries = numbers.into_iter().map(|number| {
            let number = Number::float(number);
            match unit {
                Some(unit) if !number.is_zero() => {
                    let unit = graph.symbol(unit);
                    graph.scale(number, unit)
                }
                _ => graph.number(number),
            }
        });
        Some(Value::vector(entries.collect()))
    }

    fn refuse_file<T>(&mut self, place: SpanRange, message: String) -> Option<T> {
        self.errors.error_of_file(place, Code::DataFile, message);
        None
    }
}

/// The text of a string, and its place.
fn string(expr: &Expr) -> Option<(&str, SpanRange)> {
    match &expr.kind {
        ExprKind::Text(text) => Some((text, expr.into())),
        _ => None,
    }
}
