//! Texts of robots, read and refused.

mod public;

use super::document::Place;
use super::inertia::merge_lumps;
use super::*;

fn robot(body: &str) -> Result<Robot, Vec<Mistake>> {
    read(
        &format!("<robot name='r'>{body}</robot>"),
        &Options::default(),
    )
}

#[track_caller]
fn refused(body: &str, part: &str) {
    let mistakes = robot(body).unwrap_err();
    let texts: Vec<&str> = mistakes.iter().map(|m| m.message.as_str()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains(part), "{texts:?}");
    assert!(texts[0].contains("\n\nhelp: "), "{texts:?}");
}

const LINKS: &str = "<link name='a'/><link name='b'/><link name='c'/>";

fn joint(name: &str, kind: &str, ends: (&str, &str), inner: &str) -> String {
    let (parent, child) = ends;
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inner}</joint>"
    )
}

#[test]
fn what_is_no_tree_is_refused() {
    let ab = joint("j", "revolute", ("a", "b"), "");
    refused(
        &format!("{LINKS}{ab}"),
        "two links that no joint moves: `c`, and `a`",
    );
    let bc = joint("k", "revolute", ("b", "c"), "");
    let ca = joint("l", "revolute", ("c", "a"), "");
    refused(
        &format!("{LINKS}{ab}{bc}{ca}"),
        "a cycle: the link `a` is moved by itself, through `l`, `j` and `k`",
    );
    // The link `d` hangs from the circle and is no part of it.
    let cd = joint("m", "revolute", ("c", "d"), "");
    refused(
        &format!("<link name='d'/>{LINKS}{ab}{bc}{ca}{cd}"),
        "a cycle: the link `a` is moved by itself, through `l`, `j` and `k`",
    );
    let again = joint("k", "revolute", ("a", "b"), "");
    refused(
        &format!("{LINKS}{ab}{again}"),
        "moved by two joints: by `j`",
    );
    let missing = joint("k", "revolute", ("b", "d"), "");
    refused(
        &format!("{LINKS}{ab}{missing}"),
        "a link `d` that does not exist",
    );
    refused(
        &format!("{LINKS}{ab}<link name='a'/>"),
        "the link `a` is at 1:17 already",
    );
    refused(
        &format!("{LINKS}{ab}{}", joint("j", "fixed", ("b", "c"), "")),
        "the joint `j` is at",
    );
}

#[test]
fn what_is_missing_is_refused() {
    refused("<link/>", "a `<link>` without `name`");
    refused("", "no link");
    refused("<link name='a'><inertial/></link>", "without `<mass>`");
    let inertial =
        "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1'/></inertial></link>";
    refused(inertial, "without `izz`");
    refused(
        &format!("{LINKS}<joint name='j'><parent link='a'/><child link='b'/></joint>"),
        "without `type`, in the joint `j`",
    );
    refused(
        &joint("j", "ball", ("a", "b"), ""),
        "unknown type of joint `ball`, in the joint `j`",
    );
    refused(
        "<joint name='j' type='fixed'><parent link='a'/></joint>",
        "without `<child>`, in the joint `j`",
    );
    refused(
        &format!("{LINKS}<joint name='j' type='fixed'><parent/><child link='b'/></joint>"),
        "a `<parent>` without `link`, in the joint `j`",
    );
}

#[test]
fn a_name_that_is_nearly_right_is_told() {
    let links = "<link name='hip'/><link name='thigh'/>";
    let knee = joint("knee", "revolute", ("hip", "thihg"), "");
    refused(&format!("{links}{knee}"), "did you mean `thigh`?");
    let mimic = "<mimic joint='kneee'/>";
    let knee = joint("knee", "revolute", ("hip", "thigh"), "");
    let toe = joint("toe", "revolute", ("hip", "thigh"), mimic);
    refused(&format!("{links}{knee}{toe}"), "did you mean `knee`?");
    let knee = joint("knee", "revolut", ("hip", "thigh"), "");
    refused(&format!("{links}{knee}"), "did you mean `revolute`?");
}

#[test]
fn a_file_before_xacro_is_told_once() {
    let include = "<xacro:include filename='a'/>";
    let robot = format!(
        "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>{include}{include}<link name='${{x}}'/></robot>"
    );
    let mistakes = read(&robot, &Options::default()).unwrap_err();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
}

#[test]
fn what_is_no_number_is_refused() {
    let with = |origin: &str| format!("{LINKS}{}", joint("j", "revolute", ("a", "b"), origin));
    for (inner, part) in [
        ("<origin xyz='1 2'/>", "three numbers, found `1 2`"),
        ("<origin xyz='1 2 3 4'/>", "three numbers"),
        ("<origin xyz='1,2,3'/>", "three numbers"),
        ("<origin rpy='0 0 90deg'/>", "three numbers"),
        ("<origin xyz='nan 0 0'/>", "three numbers"),
        ("<origin xyz='1e999 0 0'/>", "three numbers"),
        ("<axis xyz='${x} 0 0'/>", "xacro"),
        ("<limit lower='$(arg x)'/>", "xacro"),
        ("<dynamics damping='much'/>", "a number, found `much`"),
    ] {
        refused(&with(inner), part);
    }
    refused(
        &format!(
            "{LINKS}{}",
            joint("j", "revolute", ("a", "b"), "<axis xyz='0 0 0'/>")
        ),
        "is zero",
    );
    refused(
        "<xacro:macro xmlns:xacro='http://www.ros.org/wiki/xacro'/>",
        "<xacro:macro>",
    );
}

#[test]
fn followers_have_leaders() {
    let tree = |first: &str, second: &str| {
        let first = joint("j", "revolute", ("a", "b"), first);
        let second = joint("k", "prismatic", ("b", "c"), second);
        format!("{LINKS}{first}{second}")
    };
    refused(
        &tree("<mimic joint='none'/>", ""),
        "a joint `none` that does not exist",
    );
    refused(
        &tree("<mimic joint='k'/>", "<mimic joint='j'/>"),
        "in a circle: `j` and `k`",
    );
    refused(&tree("<mimic joint='j'/>", ""), "in a circle: `j`");
    refused(&tree("<mimic/>", ""), "a `<mimic>` without `joint`");
    let robot = robot(&tree("<mimic joint='k' multiplier='-2' offset='.5'/>", "")).unwrap();
    let follows = Motion::Follows {
        leader: 1,
        multiplier: -2.0,
        offset: 0.5,
    };
    assert_eq!(
        robot.joints.iter().map(|j| j.motion).collect::<Vec<_>>(),
        [follows, Motion::Free]
    );
}

/// The exact number: the nearest multiple of pi/2 where the text is within 1e-9 of it, else the number as written.
#[test]
fn right_angles_are_exact() {
    for (written, quarters) in [
        ("1.57079632679", Some(1)),
        ("-1.5707963268", Some(-1)),
        ("3.14159265359", Some(2)),
        ("1.5708", None),
        ("0.0000000001", Some(0)),
        ("4.71238898038469", Some(3)),
        ("0.785398163397", None),
    ] {
        let origin = format!("<origin rpy='0 0 {written}'/>");
        let body = format!(
            "<link name='a'/><link name='b'/>{}",
            joint("j", "fixed", ("a", "b"), &origin)
        );
        let read = robot(&body).unwrap();
        let rotation = read.joints[0].origin.rotation();
        assert_eq!(read.joints[0].origin.rpy[2].quarters, quarters, "{written}");
        let is_exact = rotation
            .as_flattened()
            .iter()
            .all(|entry| entry.fract() == 0.0);
        assert_eq!(is_exact, quarters.is_some(), "{written}");
        // Other numbers than those of `f64` are noted.
        let is_noted = !read.notes.0.is_empty();
        assert_eq!(
            is_noted,
            quarters.is_some() && written != "4.71238898038469",
            "{written}"
        );
    }
}

#[test]
fn what_is_not_used_is_noted() {
    let text = include_str!("../../../tests/robots/files/text.urdf");
    let robot = read(text, &Options::default()).unwrap();
    let notes: Vec<(&str, usize)> = robot
        .notes
        .0
        .iter()
        .map(|(what, (count, _))| (what.as_str(), *count))
        .collect();
    assert_eq!(
        notes,
        [
            ("`<collision>`", 2),
            ("`<gazebo>`", 1),
            ("`<safety_controller>`", 1),
            ("`<transmission>`", 1),
            ("`<visual>`", 1),
            ("a `<limit>` of effort 0, which limits nothing here", 1),
            ("the attribute `speed` of `<joint>`", 1),
        ]
    );
    let (_, place) = robot.notes.0["`<transmission>`"];
    assert_eq!(
        place,
        Place {
            line: 20,
            column: 3
        }
    );
    assert_eq!(robot.joints[0].origin.xyz, [0.5, 1.0, -0.1]);
}

/// One body for each link that moves by itself; masses of both signs that add up to nothing stay apart.
#[test]
fn links_that_move_as_one_are_merged() {
    let mass = |name: &str, mass: &str| {
        format!("<link name='{name}'><inertial><mass value='{mass}'/></inertial></link>")
    };
    let weld = joint("j", "fixed", ("a", "b"), "<origin xyz='2 0 0'/>");
    let two =
        |other: &str| robot(&format!("{}{}{weld}", mass("a", "1"), mass("b", other))).unwrap();
    let merged = merge_lumps(&two("3"), |_| true);
    assert_eq!(merged.len(), 1);
    assert_eq!(
        (merged[0].link, merged[0].mass, merged[0].centre),
        (0, 4.0, [1.5, 0.0, 0.0])
    );
    assert_eq!(merged[0].inertia[1][1], 1.0 * 2.25 + 3.0 * 0.25);
    assert_eq!(merge_lumps(&two("-1"), |_| true).len(), 2);
    assert_eq!(
        merge_lumps(&two("3"), |link| link == 1)[0].centre,
        [2.0, 0.0, 0.0]
    );
}

/// Files whose cost grows with the square of their length would not return here.
#[test]
fn long_files_are_read_in_one_pass() {
    use std::fmt::Write;
    let count = 20_000;
    let chain = |leader: &dyn Fn(usize) -> String| {
        let mut body = String::from("<link name='l'/>");
        for i in 0..count {
            write!(body, "<link name='l{i}'/>").unwrap();
            let (name, child) = (format!("j{i}"), format!("l{i}"));
            body += &joint(&name, "continuous", ("l", &child), &leader(i));
        }
        robot(&body)
    };
    let followers = chain(&|i| match i + 1 < count {
        true => format!("<mimic joint='j{}' multiplier='-1' offset='1'/>", i + 1),
        false => String::new(),
    });
    let robot = followers.unwrap();
    let follows = |multiplier, offset| Motion::Follows {
        leader: count - 1,
        multiplier,
        offset,
    };
    assert_eq!(robot.joints[count - 2].motion, follows(-1.0, 1.0));
    assert_eq!(robot.joints[count - 3].motion, follows(1.0, 0.0));
    assert_eq!(robot.joints[1].motion, follows(1.0, 0.0));
    assert_eq!(robot.joints[0].motion, follows(-1.0, 1.0));
    let circle = chain(&|i| format!("<mimic joint='j{}'/>", (i + 1) % count));
    let circles = chain(&|i| format!("<mimic joint='j{}'/>", i ^ 1));
    assert_eq!(circle.unwrap_err().len(), 1);
    assert_eq!(circles.unwrap_err().len(), 20);
}

#[test]
fn places_count_lines_and_characters() {
    let text = "\u{feff}<robot name='r'>\r\n <!-- ä -->\n ää<link name='a'/> <link/></robot>";
    let [mistake] = &read(text, &Options::default()).unwrap_err()[..] else {
        panic!()
    };
    let place = |line, column| Some(Place { line, column });
    assert_eq!(mistake.place, place(3, 21));
    let [mistake] = &read("\u{feff}<robot>\n</r", &Options::default()).unwrap_err()[..] else {
        panic!()
    };
    assert_eq!(mistake.place, place(2, 4));
}

#[test]
fn text_that_is_no_xml_is_refused() {
    for (text, part) in [
        ("", "no XML"),
        ("<robot><link></robot>", "no XML: expected 'link' tag"),
        ("<robot><xacro:include/></robot>", "run xacro first"),
        ("<robot><drake:joint/></robot>", "xmlns:drake=\"..\""),
        ("<sdf/>", "the root is `<sdf>`"),
    ] {
        let mistakes = read(text, &Options::default()).unwrap_err();
        assert_eq!(mistakes.len(), 1);
        assert!(mistakes[0].message.contains(part), "{mistakes:?}");
        assert!(mistakes[0].message.contains("\n\nhelp: "), "{mistakes:?}");
    }
}

/// The parser calls itself for each element in an element.
#[test]
fn elements_are_in_few_others() {
    let nested = |count: usize, inner: &str| {
        let (open, close) = ("<x a='>'>".repeat(count), "</x>".repeat(count));
        robot(&format!("<link name='a'>{open}{inner}{close}</link>"))
    };
    assert!(nested(90, "<!-- <x> --><![CDATA[<x>]]><?p <x>?>").is_ok());
    assert!(nested(90, &"<y b=\"/>\" c='/'/>".repeat(1000)).is_ok());
    let mistakes = nested(200_000, "").unwrap_err();
    assert!(mistakes[0].message.starts_with("elements in more than"));
}

/// The same angle in merged bodies and in frames.
#[test]
fn locked_angles_are_taken_as_they_are() {
    use std::f64::consts::FRAC_PI_2;
    let locked_at = |value: f64| {
        let options = Options {
            locked: vec![("j".to_owned(), value)],
        };
        let joint = joint("j", "revolute", ("a", "b"), "<axis xyz='0 0 1'/>");
        let text = format!("<robot><link name='a'/><link name='b'/>{joint}</robot>");
        let robot = read(&text, &options).unwrap();
        robot.joints[0].constant().unwrap().rotation[0][0]
    };
    assert_eq!(locked_at(FRAC_PI_2), 0.0);
    assert_eq!(locked_at(-3.0 * FRAC_PI_2), 0.0);
    assert_eq!(locked_at(FRAC_PI_2 - 1e-10), (FRAC_PI_2 - 1e-10).cos());
}

/// Parts of a robot, each with its name.
const PARTS: [(&str, &str); 4] = [
    (
        "hip",
        "<link name='hip'><inertial><origin xyz='0 0 1' rpy='0 0 0'/><mass value='1'/>\
         <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>",
    ),
    ("thigh", "<link name='thigh'/>"),
    (
        "knee",
        "<joint name='knee' type='revolute'><origin xyz='0 0 1' rpy='0 0 0'/><parent link='hip'/>\
         <child link='thigh'/><axis xyz='0 0 1'/><limit lower='0' upper='1' velocity='1' effort='1'/>\
         <dynamics damping='1' friction='0'/></joint><link name='shank'/>",
    ),
    (
        "ankle",
        "<joint name='ankle' type='prismatic'><parent link='thigh'/><child link='shank'/>\
         <mimic joint='knee' multiplier='2' offset='1'/></joint>",
    ),
];

/// Each attribute in turn is missing, or has an invalid value.
#[test]
fn a_mistake_in_a_part_names_it() {
    let mut refusals = 0;
    for (number, (name, text)) in PARTS.iter().enumerate() {
        for (at, _) in text.match_indices("='") {
            let start = text[..at].rfind(' ').unwrap();
            let end = at + 2 + text[at + 2..].find('\'').unwrap();
            let attribute = &text[start + 1..at];
            // Other parts refer to this name.
            if attribute == "name" {
                continue;
            }
            let missing = format!("{}{}", &text[..start], &text[end + 1..]);
            let wrong = format!("{}zz{}", &text[..at + 2], &text[end..]);
            for changed in [missing, wrong] {
                let mut parts = PARTS.map(|(_, text)| text.to_owned());
                parts[number].clone_from(&changed);
                let Err(mistakes) = robot(&parts.concat()) else {
                    continue;
                };
                refusals += 1;
                for mistake in mistakes {
                    let is_named = mistake.message.contains(&format!("`{name}`"));
                    assert!(is_named, "{changed}: {}", mistake.message);
                }
            }
        }
    }
    assert!(refusals > 30, "{refusals}");
    assert!(robot(&PARTS.map(|(_, text)| text).concat()).is_ok());
}
