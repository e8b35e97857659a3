//! Many expressions within a budget of text: shared parts get names.

use super::layout::write;
use super::plain::Plain;
use crate::{Graph, Node, NodeId, Number, Symbol};

/// Shared expressions with fewer operations than this are repeated rather than named.
const WORTH_A_NAME: u32 = 3;

/// With names, the text may exceed the budget by this factor before lines are left out.
const HARD_LIMIT: usize = 8;

/// One line of a [listing](Graph::listing).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// `label = expression`
    Left(&'a str, NodeId),
    /// `expression = label`
    Right(NodeId, &'a str),
}

impl<'a> Line<'a> {
    fn label(&self) -> &'a str {
        match self {
            Self::Left(label, _) | Self::Right(_, label) => label,
        }
    }

    fn root(&self) -> NodeId {
        match self {
            Self::Left(_, root) | Self::Right(root, _) => *root,
        }
    }

    fn with(&self, expression: &str) -> String {
        match self {
            Self::Left(label, _) => format!("{label} = {expression}\n"),
            Self::Right(_, label) => format!("{expression} = {label}\n"),
        }
    }
}

impl Graph {
    /// Lines `label = expression`, one for each root, in the syntax of [`Graph::text`].
    ///
    /// Text longer than `budget` bytes is shortened: expressions that are used more than once get names and lines of
    /// their own, `z1 = ..`, before the lines that use them. If even that exceeds eight budgets, it ends with a line
    /// that gives the number of omitted operations.
    pub fn text_of_all(
        &self,
        roots: &[(impl AsRef<str>, NodeId)],
        names: &dyn Fn(Symbol) -> String,
        budget: usize,
    ) -> String {
        let lines: Vec<Line> = roots
            .iter()
            .map(|(label, root)| Line::Left(label.as_ref(), *root))
            .collect();
        self.listing(&lines, names, budget)
    }

    /// The same for lines of either form.
    pub fn listing(
        &self,
        lines: &[Line],
        names: &dyn Fn(Symbol) -> String,
        budget: usize,
    ) -> String {
        self.write_out(lines, names, budget)
            .unwrap_or_else(|| self.write_with_names(lines, names, budget))
    }

    /// Without names; `None` beyond the budget.
    fn write_out(
        &self,
        lines: &[Line],
        names: &dyn Fn(Symbol) -> String,
        budget: usize,
    ) -> Option<String> {
        let mut text = String::new();
        for line in lines {
            let left = budget.checked_sub(text.len())?;
            let (expression, complete) = write(self, line.root(), &Plain { names }, &[], left);
            text.push_str(&line.with(&expression));
            if !complete || text.len() > budget {
                return None;
            }
        }
        Some(text)
    }

    fn write_with_names(
        &self,
        asked: &[Line],
        names: &dyn Fn(Symbol) -> String,
        budget: usize,
    ) -> String {
        let ids: Vec<NodeId> = asked.iter().map(Line::root).collect();
        let reached = self.reachable(&ids);
        let prefix = self.find_free_prefix(asked, &reached, names);
        let given_names = self.name_shared(&ids, &reached, &prefix);
        let definitions = (0..given_names.len()).filter_map(|index| {
            Some(Line::Left(
                given_names[index].as_deref()?,
                NodeId(index as u32),
            ))
        });
        let mut lines = Lines {
            text: String::new(),
            limit: budget.saturating_mul(HARD_LIMIT),
            is_full: false,
            shown: vec![false; reached.len()],
        };
        for line in definitions {
            self.push_line(&mut lines, line, names, &given_names);
        }
        for line in asked {
            match &given_names[line.root().index()] {
                Some(name) => lines.push(line.with(name)),
                None => self.push_line(&mut lines, *line, names, &given_names),
            }
        }
        let left_out: u64 = (0..reached.len())
            .filter(|index| reached[*index] && !lines.shown[*index])
            .map(|index| u64::from(self.operations_of(NodeId(index as u32))))
            .sum();
        if lines.is_full {
            lines
                .text
                .push_str(&format!("({left_out} operations left out)\n"));
        }
        lines.text
    }

    fn push_line(
        &self,
        lines: &mut Lines,
        line: Line,
        names: &dyn Fn(Symbol) -> String,
        given_names: &[Option<String>],
    ) {
        if lines.is_full {
            return;
        }
        let left = lines.limit.saturating_sub(lines.text.len());
        let root = line.root();
        let (expression, complete) = write(self, root, &Plain { names }, given_names, left);
        if complete {
            lines.push(line.with(&expression));
        } else {
            lines.is_full = true;
        }
        if !lines.is_full {
            self.mark_shown(&mut lines.shown, root, given_names);
        }
    }

    /// Marks the nodes that the line of `root` wrote out.
    fn mark_shown(&self, shown: &mut [bool], root: NodeId, given_names: &[Option<String>]) {
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            shown[id.index()] = true;
            self.node(id).for_each_child(|child| {
                if !shown[child.index()] && given_names[child.index()].is_none() {
                    stack.push(child);
                }
            });
        }
    }

    /// Names for the nodes that are used more than once and are worth one, in order of ids.
    fn name_shared(&self, roots: &[NodeId], reached: &[bool], prefix: &str) -> Vec<Option<String>> {
        let mut uses = vec![0_u32; reached.len()];
        for root in roots {
            uses[root.index()] += 1;
        }
        for index in (0..reached.len()).filter(|index| reached[*index]) {
            let node = self.node(NodeId(index as u32));
            node.for_each_child(|child| uses[child.index()] += 1);
        }
        // Operations of the expression as written, with named parts for free.
        let mut written = vec![0_u32; reached.len()];
        let mut given_names = vec![None; reached.len()];
        let mut count = 0;
        for index in (0..reached.len()).filter(|index| reached[*index]) {
            let id = NodeId(index as u32);
            let mut operations = self.operations_of(id);
            self.node(id).for_each_child(|child| {
                operations = operations.saturating_add(written[child.index()]);
            });
            if uses[index] > 1 && operations >= WORTH_A_NAME {
                count += 1;
                given_names[index] = Some(format!("{prefix}{count}"));
                operations = 0;
            }
            written[index] = operations;
        }
        given_names
    }

    /// `z`, repeated until no symbol or label equals a new name.
    fn find_free_prefix(
        &self,
        lines: &[Line],
        reached: &[bool],
        names: &dyn Fn(Symbol) -> String,
    ) -> String {
        let mut taken: Vec<String> = (0..reached.len())
            .filter(|index| reached[*index])
            .filter_map(|index| match self.node(NodeId(index as u32)) {
                Node::Symbol(symbol) => Some(names(*symbol)),
                _ => None,
            })
            .collect();
        taken.extend(lines.iter().map(|line| line.label().to_owned()));
        let mut prefix = "z".to_owned();
        let clashes = |name: &String, prefix: &str| {
            name.strip_prefix(prefix)
                .is_some_and(|end| end.starts_with(|c: char| c.is_ascii_digit()))
        };
        while taken.iter().any(|name| clashes(name, &prefix)) {
            prefix.push('z');
        }
        prefix
    }

    /// The operations of one node, with a power as one multiplication.
    fn operations_of(&self, id: NodeId) -> u32 {
        let less_one = |count: usize| u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
        match self.node(id) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => 0,
            Node::Sum { constant, terms } => {
                let scaled = |(c, _): &&(Number, NodeId)| !c.abs().is_one();
                let scalings = terms.iter().filter(scaled).count();
                less_one(terms.len() + usize::from(!constant.is_zero()) + scalings + 1)
                    .saturating_sub(1)
            }
            Node::Product(factors) => {
                let powers = factors.iter().filter(|(_, e)| e.unsigned_abs() > 1).count();
                less_one(factors.len() + powers).max(1)
            }
            Node::Unary(..) | Node::Binary(..) | Node::Select { .. } | Node::Curve { .. } => 1,
        }
    }
}

/// Lines up to a limit.
struct Lines {
    text: String,
    limit: usize,
    is_full: bool,
    /// For each node whether it is written out somewhere.
    shown: Vec<bool>,
}

impl Lines {
    fn push(&mut self, line: String) {
        if self.text.len() + line.len() > self.limit {
            self.is_full = true;
        }
        if !self.is_full {
            self.text.push_str(&line);
        }
    }
}
