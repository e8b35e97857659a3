//! Mistakes in robot files.

use super::document::Place;

/// More would be no mistakes of one hand.
pub(super) const MOST_MISTAKES: usize = 20;

/// A mistake in a file, and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mistake {
    /// `None` of the file as a whole.
    pub(crate) place: Option<Place>,
    pub(crate) kind: MistakeKind,
    /// With advice behind a blank line.
    pub(crate) message: String,
}

/// Which of the pages of errors tells about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MistakeKind {
    /// The text.
    File,
    /// Links and joints beside each other.
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
