//! Springs and dampers between two points, or between two positions on a line.

use lagrange_engine::{NodeId, Number, Shape, Unary};
use proc_macro2::Ident;

use super::fields::Fields;
use crate::errors::{Code, SpanRange};
use crate::lower::dependence_errors::POTENTIAL;
use crate::lower::evaluator::Evaluator;
use crate::lower::lowering::Lowering;
use crate::lower::value::{Value, in_words};
use crate::lower::warnings::{NEGATIVE_DAMPING, NEGATIVE_STIFFNESS};
use crate::syntax::ast::{BlockField, Expr};
use crate::tables::{LinkEntry, PartKind};
use crate::units::{Factor, Side};

impl Lowering<'_> {
    /// `spring { k, rest, from, to }`: V += k/2 (|to - from| - rest)^2. Positions on a line are subtracted without
    /// the bars.
    pub(super) fn lower_spring(&mut self, keyword: &Ident, fields: (&[BlockField], bool)) {
        self.check_beside_lagrangian(keyword);
        let evaluator = &mut self.evaluator;
        let fields = evaluator.read_block_fields(fields, &["k", "rest", "from", "to"]);
        let stiffness = evaluator.require_field(keyword, &fields, "k");
        let stiffness = stiffness.and_then(|expr| {
            let stiffness =
                evaluator.evaluate_potential_scalar(expr, "the stiffness of a spring")?;
            evaluator.warn_of_negative(expr, stiffness, NEGATIVE_STIFFNESS);
            Some(stiffness)
        });
        let rest = match fields.get("rest") {
            Some(expr) => evaluator.evaluate_potential_scalar(expr, "the rest length of a spring"),
            None => Some(evaluator.graph.integer(0)),
        };
        let ends = evaluator.evaluate_ends(keyword, &fields);
        let (Some(stiffness), Some(rest), Some(ends), true) =
            (stiffness, rest, ends, fields.are_sound)
        else {
            return;
        };
        let way = evaluator.build_way_between(&ends);
        evaluator.note_stretch(&fields, (stiffness, rest), &way);
        let stretch = evaluator.build_square_of_stretch(&way, rest);
        let graph = &mut evaluator.graph;
        let double = graph.mul(stiffness, stretch);
        let potential = graph.scale(Number::HALF, double);
        self.note_part(PartKind::Spring, keyword.span(), potential);
        self.note_link(PartKind::Spring, ends);
        self.energies.add_potential(potential);
    }

    /// `damper { c, from, to }`: D += c/2 (d|to - from|/dt)^2. Positions on a line are subtracted without the bars.
    pub(super) fn lower_damper(&mut self, keyword: &Ident, fields: (&[BlockField], bool)) {
        let evaluator = &mut self.evaluator;
        let fields = evaluator.read_block_fields(fields, &["c", "from", "to"]);
        let coefficient = evaluator.require_field(keyword, &fields, "c");
        let coefficient = coefficient.and_then(|expr| {
            let value = evaluator.evaluate(expr)?;
            let what = "the coefficient of a damper is a scalar";
            let coefficient = evaluator.expect_scalar(expr, &value, what)?;
            evaluator.warn_of_negative(expr, coefficient, NEGATIVE_DAMPING);
            Some(coefficient)
        });
        let ends = evaluator.evaluate_ends(keyword, &fields);
        let (Some(coefficient), Some(ends), true) = (coefficient, ends, fields.are_sound) else {
            return;
        };
        let way = evaluator.build_way_between(&ends);
        evaluator.note_damping(&fields, coefficient, &way);
        let square = evaluator.build_square_of_rate(&way);
        let graph = &mut evaluator.graph;
        let double = graph.mul(coefficient, square);
        let dissipation = graph.scale(Number::HALF, double);
        self.note_part(PartKind::Damper, keyword.span(), dissipation);
        self.note_link(PartKind::Damper, ends);
        self.energies.dissipation.values.push(dissipation);
    }

    fn note_link(&mut self, kind: PartKind, ends: [Value; 2]) {
        let ends = ends.map(|end| end.entries);
        self.links.push(LinkEntry { kind, ends });
    }
}

impl Evaluator<'_> {
    /// `from` and `to`, of one shape.
    fn evaluate_ends(&mut self, keyword: &Ident, fields: &Fields<'_>) -> Option<[Value; 2]> {
        let ends = ["from", "to"].map(|name| {
            let expr = self.require_field(keyword, fields, name)?;
            self.evaluate_end_point(expr, keyword)
        });
        let [Some(from), Some(to)] = ends else {
            return None;
        };
        if let Some([first, second]) = fields
            .get("from")
            .zip(fields.get("to"))
            .map(|(a, b)| [a, b])
        {
            self.note_equal_units((first, &from), (second, &to));
            self.note_position(first, &from);
            self.note_position(second, &to);
        }
        if from.shape != to.shape {
            let message = format!(
                "mismatched shapes: `from` is {}, `to` {}",
                in_words(from.shape),
                in_words(to.shape)
            );
            let last = fields.get("to").map_or(keyword.into(), SpanRange::from);
            return self.refuse(last, Code::ForceShapes, message);
        }
        Some([from, to])
    }

    /// to - from
    fn build_way_between(&mut self, [from, to]: &[Value; 2]) -> Value {
        let graph = &mut self.graph;
        let way = to
            .entries
            .iter()
            .zip(&from.entries)
            .map(|(to, from)| graph.sub(*to, *from))
            .collect();
        Value {
            shape: to.shape,
            entries: way,
        }
    }

    fn evaluate_end_point(&mut self, expr: &Expr, keyword: &Ident) -> Option<Value> {
        let mark = self.mark();
        let value = self.evaluate(expr)?;
        if !matches!(value.shape, Shape::Scalar | Shape::Vector(2 | 3)) {
            let actual = in_words(value.shape);
            let message = format!(
                "an end of a {keyword} is a vector of length 2 or 3, or a scalar on a line, found {actual}"
            );
            return self.refuse(expr, Code::WrongShape, message);
        }
        let what = format!("an end of a {keyword}");
        self.refuse_dependence(mark, &value.entries, &POTENTIAL, &what)?;
        Some(value)
    }

    /// k stretch^2 is an energy, and `rest` a stretch.
    fn note_stretch(&mut self, fields: &Fields<'_>, (k, rest): (NodeId, NodeId), way: &Value) {
        let way = way.entries[0];
        if let Some(expr) = fields.get("k") {
            let factors = vec![(Factor::Energy, 1), (Factor::Node(way), -2)];
            self.note_unit(
                expr,
                &[k],
                &Side::new(factors, "a stiffness of this spring"),
            );
        }
        if let Some(expr) = fields.get("rest") {
            let along = Side::node(way, "the way between its ends");
            self.note_unit(expr, &[rest], &along);
        }
    }

    /// c rate^2 is a power.
    fn note_damping(&mut self, fields: &Fields<'_>, coefficient: NodeId, way: &Value) {
        if let Some(expr) = fields.get("c") {
            let factors = vec![
                (Factor::Energy, 1),
                (Factor::Second, 1),
                (Factor::Node(way.entries[0]), -2),
            ];
            let expected = Side::new(factors, "a coefficient of this damper");
            self.note_unit(expr, &[coefficient], &expected);
        }
    }

    /// (|way| - rest)^2, without a square root if rest is 0. On a line: (way - rest)^2.
    fn build_square_of_stretch(&mut self, way: &Value, rest: NodeId) -> NodeId {
        let graph = &mut self.graph;
        if let Some(way) = way.as_scalar() {
            let stretch = graph.sub(way, rest);
            return graph.powi(stretch, 2);
        }
        let square = graph.dot(&way.entries, &way.entries);
        if graph.is_zero(rest) {
            return square;
        }
        let length = graph.unary(Unary::Sqrt, square);
        let stretch = graph.sub(length, rest);
        graph.powi(stretch, 2)
    }

    /// (d|way|/dt)^2 = (way . dway/dt)^2 / way^2. On a line: (dway/dt)^2.
    fn build_square_of_rate(&mut self, way: &Value) -> NodeId {
        let rate = self.differentiate(way, 0);
        let graph = &mut self.graph;
        if let Some(rate) = rate.as_scalar() {
            return graph.powi(rate, 2);
        }
        let along = graph.dot(&way.entries, &rate.entries);
        let square = graph.dot(&way.entries, &way.entries);
        graph.product(vec![(along, 2), (square, -1)])
    }
}
