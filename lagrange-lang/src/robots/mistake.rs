//! Mistakes in robot files.

use super::document::Place;

/// The maximum number of mistakes that are reported for a file.
pub(super) const MOST_MISTAKES: usize = 20;

/// A mistake in a file, with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mistake {
    /// `None` for the whole file.
    pub(crate) place: Option<Place>,
    pub(crate) kind: MistakeKind,
    /// The message, with advice after a blank line.
    pub(crate) message: String,
}

/// The error page about the mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MistakeKind {
    /// The text of the file.
    File,
    /// The connections of links and joints.
    Tree,
}

impl Mistake {
    pub(crate) fn file(place: Place, message: impl Into<String>) -> Self {
        let (place, message) = (Some(place), message.into());
        let kind = MistakeKind::File;
        Mistake {
            place,
            kind,
            message,
        }
    }

    pub(crate) fn tree(place: Place, message: impl Into<String>) -> Self {
        let kind = MistakeKind::Tree;
        Mistake {
            kind,
            ..Mistake::file(place, message)
        }
    }
}
