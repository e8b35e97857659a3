//! The gallery: all pages in one folder, with an index and links between them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use lagrangian_page::parts::{STYLE, escape_html};

use crate::common;

/// A page of the gallery.
pub(crate) struct Entry {
    /// The name of the example.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    about: &'static str,
}

const fn entry(name: &'static str, title: &'static str, about: &'static str) -> Entry {
    Entry { name, title, about }
}

/// In the order of reading.
pub(crate) const PAGES: [Entry; 21] = [
    entry(
        "cart_pole",
        "Cart and pole",
        "State feedback with gains from the exact linearization.",
    ),
    entry(
        "double_pendulum",
        "Double pendulum",
        "Two starts a hair's breadth apart.",
    ),
    entry("chain", "Falling chain", "Its free end overtakes a stone."),
    entry(
        "kapitza",
        "Kapitza's pendulum",
        "Held upright by a pivot that shakes: explicit time.",
    ),
    entry(
        "four_bar",
        "Four-bar linkage",
        "A closed loop, and the force in its pin.",
    ),
    entry(
        "driveline",
        "Driveline",
        "The torque of an engine from a file, and the shudder of its shaft.",
    ),
    entry(
        "geared_joint",
        "Geared joint",
        "A current, friction that sticks and a cascade of controllers, as states of first order.",
    ),
    entry(
        "skate",
        "Skate on a slope",
        "A constraint on velocities: it never gets down.",
    ),
    entry(
        "bicycle",
        "Bicycle",
        "Six constraints, and the published speeds at which it rights itself.",
    ),
    entry(
        "woodpecker",
        "Woodpecker toy",
        "Three contacts with friction, which stick, slide and bounce by themselves.",
    ),
    entry(
        "walker",
        "The simplest walker",
        "Contacts and impacts, and the stability of a gait by their derivatives.",
    ),
    entry(
        "hopper",
        "A leg on a rail",
        "From its URDF file: it lands, stands, and learns how high it jumps.",
    ),
    entry(
        "quadruped",
        "Quadruped",
        "On four feet with friction it is pushed, and steps to catch itself.",
    ),
    entry(
        "quadrotor",
        "Quadrotor",
        "An attitude without singular places flies a flip.",
    ),
    entry(
        "falling_cat",
        "Falling cat",
        "It turns with no angular momentum at all.",
    ),
    entry(
        "racket",
        "Turning over",
        "Order and drift of a variational step, by a motion that is known in closed form.",
    ),
    entry(
        "robot_arm",
        "Robot arm",
        "Task-space control of a seven-joint arm.",
    ),
    entry(
        "humanoid",
        "Humanoid",
        "Read from its URDF file, it is pushed and keeps its balance on one foot.",
    ),
    entry(
        "identify",
        "Learning the masses",
        "Inertial parameters from noisy torques.",
    ),
    entry(
        "mpc",
        "Model predictive control",
        "A weak motor swings its pole up.",
    ),
    entry(
        "acrobot",
        "Acrobot",
        "A time-varying regulator follows a plan of variational steps.",
    ),
];

/// The folder of the gallery: the first argument, else `gallery` in the target folder.
pub(crate) fn gallery_folder() -> io::Result<PathBuf> {
    let folder = match env::args_os().nth(1) {
        Some(path) => PathBuf::from(path),
        None => common::folder().join("gallery"),
    };
    fs::create_dir_all(&folder)?;
    folder.canonicalize()
}

/// To the page before, the index and the page after, as texts and addresses.
pub(crate) fn links(name: &str, live: bool) -> Vec<(String, String)> {
    let live = LIVE.iter().filter(|_| live);
    let pages: Vec<&Entry> = PAGES.iter().chain(live).collect();
    let place = pages.iter().position(|page| page.name == name);
    let place = place.unwrap_or(pages.len());
    let link = |sign: &str, page: &Entry| {
        let address = format!("{}.html", page.name);
        (format!("{sign}{}", page.title), address)
    };
    let before = place.checked_sub(1).and_then(|before| pages.get(before));
    let after = pages.get(place + 1);
    let links = [
        before.map(|page| link("← ", page)),
        Some(("All".to_owned(), "index.html".to_owned())),
        after.map(|page| link("→ ", page)),
    ];
    links.into_iter().flatten().collect()
}

/// The pages that exist if WebAssembly can be built.
pub(crate) const LIVE: [Entry; 2] = [
    entry(
        "playground",
        "Playground",
        "Type a declaration and watch it move.",
    ),
    entry(
        "swarm",
        "Ten thousand pendulums",
        "Double pendulums in one compute shader, by WebGPU.",
    ),
];

/// Writes the index, with the live pages if there are any, and returns its path.
pub(crate) fn write_index(folder: &Path, live: bool) -> io::Result<PathBuf> {
    let mut cards = String::new();
    let live = LIVE.into_iter().filter(|_| live);
    for Entry { name, title, about } in live.chain(PAGES) {
        let (title, about) = (escape_html(title), escape_html(about));
        cards += &format!(
            "<figure><a href=\"{name}.html\"><strong>{title}</strong><p>{about}</p>\
             <img src=\"{name}.svg\" alt=\"\"></a></figure>\n"
        );
    }
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>lagrangian: gallery</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{}</style>\n</head>\n<body>\n<header>\n\
         <h1>lagrangian</h1>\n<p id=\"about\">Mechanical systems, declared in Rust by their energies and \
         constraints; what moves on these pages was integrated with the code that the macro wrote.</p>\n\
         </header>\n<main id=\"index\">\n{cards}</main>\n</body>\n</html>\n",
        STYLE
    );
    let path = folder.join("index.html");
    fs::write(&path, html)?;
    Ok(path)
}
