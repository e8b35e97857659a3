//! The reader of robot files. It yields links and joints, and notes of unused parts.

use roxmltree::{Node, ParsingOptions};

use super::document::{
    Document, Inertial, Joint, JointType, Limits, Link, Mimic, Notes, Origin, Place,
};
use super::mistake::{MOST_MISTAKES, Mistake};
use super::numbers::{self, Angle, NoNumber};
use super::space::{IDENTITY, Vector, turned};
use crate::suggest;

const HELP_XACRO: &str = "\n\nhelp: run xacro first, `xacro robot.urdf.xacro > robot.urdf`";
/// The types of joints.
const TYPES: [&str; 6] = [
    "revolute",
    "continuous",
    "prismatic",
    "planar",
    "floating",
    "fixed",
];
/// The nesting limit of elements. Files have about ten levels.
const DEEPEST: usize = 100;

/// Reads the text. All independent mistakes are reported.
pub(super) fn read(text: &str) -> Result<Document, Vec<Mistake>> {
    // A byte order mark is not part of the first line.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(place) = find_too_deep(text) {
        let message = format!(
            "elements in more than {DEEPEST} others\n\nhelp: close each element where it ends"
        );
        return Err(vec![Mistake::file(place, message)]);
    }
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let xml = match roxmltree::Document::parse_with_options(text, options) {
        Ok(xml) => xml,
        Err(error) => return Err(vec![explain_no_xml(text, &error)]),
    };
    let mut reader = Reader {
        places: find_places(&xml),
        mistakes: Vec::new(),
        notes: Notes::default(),
        is_unexpanded: false,
    };
    let document = reader.robot(xml.root_element());
    reader.mistakes.truncate(MOST_MISTAKES);
    match document {
        Some(document) if reader.mistakes.is_empty() => Ok(document),
        _ => Err(reader.mistakes),
    }
}

fn explain_no_xml(text: &str, error: &roxmltree::Error) -> Mistake {
    let place = match error {
        roxmltree::Error::UnexpectedEndOfStream => end_of(text),
        _ => {
            let position = error.pos();
            let (line, column) = (position.row, position.col);
            Place { line, column }
        }
    };
    let message = error.to_string();
    let message = message.split(" at ").next().unwrap_or(&message);
    let help = match error {
        roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro" => HELP_XACRO.to_owned(),
        roxmltree::Error::UnknownNamespace(prefix, _) => {
            format!("\n\nhelp: write `<robot name=\"..\" xmlns:{prefix}=\"..\">`")
        }
        _ => "\n\nhelp: mend the text there, or export the file again".to_owned(),
    };
    Mistake::file(place, format!("no XML: {message}{help}"))
}

/// The place after the end of a text.
fn end_of(text: &str) -> Place {
    let characters_of_line = text.chars().rev().take_while(|c| *c != '\n').count();
    Place {
        line: text.matches('\n').count() as u32 + 1,
        column: characters_of_line as u32 + 1,
    }
}

/// The place of an element beyond the nesting limit. The recursive parser would overflow the stack.
fn find_too_deep(text: &str) -> Option<Place> {
    let behind =
        |start: usize, end: &str| text[start..].find(end).map_or(text.len(), |n| start + n);
    let (mut at, mut depth) = (0_usize, 0_usize);
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')) {
        at += next;
        let remaining = &text[at..];
        let end = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((_, end)) = end.iter().find(|(start, _)| remaining.starts_with(start)) {
            at = behind(at, end);
        } else if remaining.starts_with("</") {
            depth = depth.saturating_sub(1);
            at += 2;
        } else if remaining.starts_with("<!") {
            // Elements in an entity count like others.
            at += 2;
        } else {
            depth += 1;
            if depth > DEEPEST {
                return Some(end_of(&text[..at]));
            }
            // Skips to the end of the tag. Quoted texts may contain the end mark.
            let mut quote = None;
            let inside = remaining.char_indices().find(|(_, c)| match (quote, *c) {
                (None, '>') => true,
                (None, '"' | '\'') => {
                    quote = Some(*c);
                    false
                }
                (Some(open), c) if c == open => {
                    quote = None;
                    false
                }
                _ => false,
            });
            let length = inside.map_or(remaining.len(), |(length, _)| length);
            if remaining[..length].ends_with('/') {
                depth -= 1;
            }
            at += length;
        }
    }
    None
}

struct Reader {
    /// The place of each node, by the number of the node.
    places: Vec<Place>,
    mistakes: Vec<Mistake>,
    notes: Notes,
    /// True if a part that xacro expands was reported.
    is_unexpanded: bool,
}

/// The places of all nodes, found in one pass over the text.
fn find_places(xml: &roxmltree::Document<'_>) -> Vec<Place> {
    let nodes = xml.root().descendants();
    let mut starts: Vec<(usize, usize)> = nodes
        .map(|node| (node.range().start, node.id().get_usize()))
        .collect();
    // Nodes from an entity have the place of its definition, before other nodes.
    starts.sort_unstable();
    let count = starts.iter().map(|(_, node)| node + 1).max();
    let mut place = Place { line: 1, column: 1 };
    let mut places = vec![place; count.unwrap_or(0)];
    let mut characters = xml.input_text().char_indices().peekable();
    for (start, node) in starts {
        while let Some((_, character)) = characters.next_if(|(offset, _)| *offset < start) {
            place = match character {
                '\n' => Place {
                    line: place.line + 1,
                    column: 1,
                },
                _ => Place {
                    column: place.column + 1,
                    ..place
                },
            };
        }
        places[node] = place;
    }
    places
}

impl Reader {
    fn place(&self, node: Node<'_, '_>) -> Place {
        self.places[node.id().get_usize()]
    }

    /// Reports a mistake in an element, with the name of the link or joint that contains the element.
    fn fail<T>(&mut self, node: Node<'_, '_>, message: impl Into<String>) -> Option<T> {
        let mut message = message.into();
        let part = node
            .ancestors()
            .filter(|of| of.is_element())
            .find(|of| matches!(of.tag_name().name(), "link" | "joint"));
        let name = part.and_then(|part| part.attribute("name"));
        if let (Some(part), Some(name)) = (part, name.filter(|name| !name.is_empty())) {
            let headline = message.find("\n\n").unwrap_or(message.len());
            let part = part.tag_name().name();
            message.insert_str(headline, &format!(", in the {part} `{name}`"));
        }
        let place = self.place(node);
        self.mistakes.push(Mistake::file(place, message));
        None
    }

    /// Reports the first part that xacro expands. The others have the same cause.
    fn fail_unexpanded<T>(&mut self, node: Node<'_, '_>, what: &str) -> Option<T> {
        match std::mem::replace(&mut self.is_unexpanded, true) {
            true => None,
            false => self.fail(node, format!("unexpanded `{what}`{HELP_XACRO}")),
        }
    }

    fn robot(&mut self, root: Node<'_, '_>) -> Option<Document> {
        let name = root.tag_name().name();
        if name != "robot" {
            let message = format!(
                "this is no URDF: the root is `<{name}>`, not `<robot>`\n\n\
                 help: convert the file to URDF; SDF and MJCF are not read"
            );
            return self.fail(root, message);
        }
        let (mut links, mut joints) = (Vec::new(), Vec::new());
        for node in root.children().filter(Node::is_element) {
            if is_xacro(node) {
                let name = node.tag_name().name();
                let _none: Option<()> = self.fail_unexpanded(node, &format!("<xacro:{name}>"));
                continue;
            }
            match own_name(node, root) {
                Some("link") => links.extend(self.link(node)),
                Some("joint") => joints.extend(self.joint(node)),
                _ => self.unused(node),
            }
        }
        if links.is_empty() && self.mistakes.is_empty() {
            return self.fail(
                root,
                "the robot has no link\n\nhelp: write at least `<link name=\"..\"/>`",
            );
        }
        Some(Document {
            place: self.place(root),
            links,
            joints,
            notes: std::mem::take(&mut self.notes),
        })
    }

    fn unused(&mut self, node: Node<'_, '_>) {
        let name = node.tag_name().name();
        self.notes.add(format!("`<{name}>`"), self.place(node));
    }

    /// The first child of each name. Other children are noted as unused.
    fn children<'a, 'i, const N: usize>(
        &mut self,
        node: Node<'a, 'i>,
        names: [&str; N],
    ) -> [Option<Node<'a, 'i>>; N] {
        let mut children = [None; N];
        for child in node.children().filter(Node::is_element) {
            let name = own_name(child, node);
            match names.iter().position(|wanted| name == Some(*wanted)) {
                Some(index) if children[index].is_none() => children[index] = Some(child),
                Some(_) => {
                    let name = name.unwrap_or_default();
                    let of = node.tag_name().name();
                    self.notes.add(
                        format!("another `<{name}>` of one `<{of}>`"),
                        self.place(child),
                    );
                }
                None => self.unused(child),
            }
        }
        children
    }

    /// Notes the attributes with other names as unused.
    fn only(&mut self, node: Node<'_, '_>, names: &[&str]) {
        for attribute in node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_some() || !names.contains(&name) {
                let of = node.tag_name().name();
                self.notes.add(
                    format!("the attribute `{name}` of `<{of}>`"),
                    self.place(node),
                );
            }
        }
    }

    fn name(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<String> {
        let element = node.tag_name().name();
        match node.attribute(attribute) {
            Some(name) if numbers::is_unexpanded(name) => {
                self.fail_unexpanded(node, name)
            }
            Some(name) if !name.is_empty() => Some(name.to_owned()),
            _ => self.fail(
                node,
                format!(
                    "a `<{element}>` without `{attribute}`\n\nhelp: write `<{element} {attribute}=\"..\">`"
                ),
            ),
        }
    }

    fn parsed<T>(
        &mut self,
        node: Node<'_, '_>,
        attribute: &str,
        what: &str,
        parse: fn(&str) -> Result<T, NoNumber>,
    ) -> Option<T> {
        let text = node.attribute(attribute)?;
        match parse(text) {
            Ok(value) => Some(value),
            Err(NoNumber::Unexpanded) => self.fail_unexpanded(node, text),
            Err(NoNumber::Other) => {
                let element = node.tag_name().name();
                let message = format!(
                    "`{attribute}` of `<{element}>` is {what}, found `{text}`\n\n\
                     help: write {what}, with a point and without units"
                );
                self.fail(node, message)
            }
        }
    }

    fn number(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<f64> {
        self.parsed(node, attribute, "a number", numbers::number)
    }

    fn vector(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<Vector> {
        self.parsed(node, attribute, "three numbers", numbers::vector)
    }

    /// A required number.
    fn needed(&mut self, node: Node<'_, '_>, attribute: &str) -> Option<f64> {
        if node.attribute(attribute).is_none() {
            let element = node.tag_name().name();
            let message = format!(
                "a `<{element}>` without `{attribute}`\n\nhelp: write `{attribute}=\"..\"`"
            );
            return self.fail(node, message);
        }
        self.number(node, attribute)
    }

    fn origin(&mut self, node: Option<Node<'_, '_>>) -> Origin {
        let Some(node) = node else {
            return Origin {
                xyz: [0.0; 3],
                rpy: [Angle::of(0.0); 3],
            };
        };
        self.only(node, &["xyz", "rpy"]);
        let rpy = self.vector(node, "rpy").unwrap_or_default().map(Angle::of);
        if rpy.iter().any(|angle| angle.is_moved()) {
            self.notes.add(
                "`rpy` within 1e-9 of a multiple of pi/2, which is taken as that multiple",
                self.place(node),
            );
        }
        Origin {
            xyz: self.vector(node, "xyz").unwrap_or_default(),
            rpy,
        }
    }

    fn link(&mut self, node: Node<'_, '_>) -> Option<Link> {
        self.only(node, &["name"]);
        let name = self.name(node, "name");
        let [inertial] = self.children(node, ["inertial"]);
        let inertial = inertial.map(|inertial| self.inertial(inertial));
        let inertial = match inertial {
            Some(read) => Some(read?),
            None => None,
        };
        Some(Link {
            name: name?,
            place: self.place(node),
            inertial,
        })
    }

    fn inertial(&mut self, node: Node<'_, '_>) -> Option<Inertial> {
        let [origin, mass, inertia] = self.children(node, ["origin", "mass", "inertia"]);
        let origin = self.origin(origin);
        let Some(mass_node) = mass else {
            return self.fail(
                node,
                "an `<inertial>` without `<mass>`\n\n\
                 help: write `<mass value=\"..\"/>`, or remove the `<inertial>`",
            );
        };
        self.only(mass_node, &["value"]);
        let mass = self.needed(mass_node, "value");
        let mut tensor = [[0.0; 3]; 3];
        if let Some(inertia) = inertia {
            let entries = [
                ("ixx", 0, 0),
                ("iyy", 1, 1),
                ("izz", 2, 2),
                ("ixy", 0, 1),
                ("ixz", 0, 2),
                ("iyz", 1, 2),
            ];
            self.only(inertia, &entries.map(|(name, ..)| name));
            for (name, i, j) in entries {
                let value = match i == j {
                    true => self.needed(inertia, name),
                    false => self.number(inertia, name),
                };
                tensor[i][j] = value.unwrap_or(0.0);
                tensor[j][i] = tensor[i][j];
            }
        }
        let mass = mass?;
        if mass == 0.0 && tensor != [[0.0; 3]; 3] {
            self.notes.add(
                "an inertia beside the mass 0, which is no body",
                self.place(node),
            );
        }
        Some(Inertial {
            place: self.place(node),
            mass,
            centre: origin.xyz,
            inertia: turned(&origin.rotation(), &tensor),
        })
    }

    fn joint(&mut self, node: Node<'_, '_>) -> Option<Joint> {
        self.only(node, &["name", "type"]);
        let name = self.name(node, "name");
        let kind = self.kind(node);
        let [origin, parent, child, axis, limit, dynamics, mimic] = self.children(
            node,
            [
                "origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
            ],
        );
        let origin = self.origin(origin);
        let parent = self.end(node, parent, "parent");
        let child = self.end(node, child, "child");
        let axis = match axis {
            Some(axis) => {
                self.only(axis, &["xyz"]);
                (
                    self.vector(axis, "xyz").unwrap_or(IDENTITY[0]),
                    self.place(axis),
                )
            }
            None => (IDENTITY[0], self.place(node)),
        };
        let mut limits = Limits::NONE;
        if let Some(limit) = limit {
            self.only(limit, &["lower", "upper", "velocity", "effort"]);
            for (name, value) in [
                ("lower", &mut limits.lower),
                ("upper", &mut limits.upper),
                ("velocity", &mut limits.velocity),
                ("effort", &mut limits.effort),
            ] {
                let read = self.parsed(limit, name, "a number", numbers::extended);
                *value = read.unwrap_or(*value);
            }
            if limits.effort == 0.0 {
                self.notes.add(
                    "a `<limit>` of effort 0, which limits nothing here",
                    self.place(limit),
                );
            }
        }
        let (mut damping, mut friction) = (0.0, (0.0, self.place(node)));
        if let Some(dynamics) = dynamics {
            self.only(dynamics, &["damping", "friction"]);
            damping = self.number(dynamics, "damping").unwrap_or(0.0);
            friction = (
                self.number(dynamics, "friction").unwrap_or(0.0),
                self.place(dynamics),
            );
        }
        let mimic = match mimic {
            Some(mimic) => {
                self.only(mimic, &["joint", "multiplier", "offset"]);
                let multiplier = self.number(mimic, "multiplier").unwrap_or(1.0);
                let offset = self.number(mimic, "offset").unwrap_or(0.0);
                self.name(mimic, "joint").map(|joint| Mimic {
                    joint,
                    place: self.place(mimic),
                    multiplier,
                    offset,
                })
            }
            None => None,
        };
        let kind = kind?;
        Some(Joint {
            name: name?,
            place: self.place(node),
            kind,
            parent: parent?,
            child: child?,
            origin,
            axis,
            mimic,
            limits,
            damping,
            friction,
        })
    }

    fn kind(&mut self, node: Node<'_, '_>) -> Option<JointType> {
        let written = self.name(node, "type")?;
        Some(match written.as_str() {
            "revolute" => JointType::Revolute,
            "continuous" => JointType::Continuous,
            "prismatic" => JointType::Prismatic,
            "planar" => JointType::Planar,
            "floating" => JointType::Floating,
            "fixed" => JointType::Fixed,
            _ => {
                let help = suggest::help_or_list(&written, TYPES);
                return self.fail(node, format!("unknown type of joint `{written}`{help}"));
            }
        })
    }

    /// `<parent link>`, `<child link>`
    fn end(
        &mut self,
        joint: Node<'_, '_>,
        node: Option<Node<'_, '_>>,
        name: &str,
    ) -> Option<(String, Place)> {
        let Some(node) = node else {
            let message =
                format!("a `<joint>` without `<{name}>`\n\nhelp: write `<{name} link=\"..\"/>`");
            return self.fail(joint, message);
        };
        self.only(node, &["link"]);
        Some((self.name(node, "link")?, self.place(node)))
    }
}

fn is_xacro(node: Node<'_, '_>) -> bool {
    let space = node.tag_name().namespace();
    space.is_some_and(|space| space.contains("xacro"))
}

/// The name of an element, if it has the namespace of its parent element.
fn own_name<'a>(node: Node<'a, '_>, of: Node<'_, '_>) -> Option<&'a str> {
    let name = node.tag_name();
    (name.namespace() == of.tag_name().namespace()).then(|| name.name())
}
