//! The rules that decide whether an orientation holds an item.

use super::LeftOut;
use crate::{lens::Withheld, scope::words};

/// The rule that decided about an entry or another item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// It is in the document.
    Taken,
    /// The tokens of its layer were used up.
    Budget,
    /// Its rank exceeded the limit of its layer.
    Limit,
    /// Another item says the same.
    Repeats,
    /// The refinement dropped it.
    Refined,
    /// The knower of the lens does not know it.
    Unknown,
    /// It is later in the story than the lens.
    NotThen,
    Forgotten,
    /// It belongs to a channel or conversation that is not in scope.
    OutOfReach,
    /// It has no text.
    Blank,
    /// Its layer could not be read.
    LayerFailed,
    /// Neither its words nor its meaning match the query.
    NoMatch,
    /// It was found, and is folded into another one that says the same.
    Folded,
    /// It ranks behind those that its layer reads.
    BehindTheCut,
    /// It matches, but more of the others match better than the search compares.
    BeyondTheLists,
    /// It is not there any more.
    Gone,
    /// The knower or the chapter of the lens is not there any more, so nothing was read.
    LensGone,
    /// The channel that was in scope is not there any more, so nothing was read.
    ChannelGone,
}

words!(Rule, "rule", {
    Taken => "taken", Budget => "budget", Limit => "limit", Repeats => "repeats", Refined => "refined",
    Unknown => "unknown", NotThen => "not_then", Forgotten => "forgotten", OutOfReach => "out_of_reach",
    Blank => "blank", LayerFailed => "layer_failed", NoMatch => "no_match", Folded => "folded",
    BehindTheCut => "behind_the_cut", BeyondTheLists => "beyond_the_lists", Gone => "gone",
    LensGone => "lens_gone", ChannelGone => "channel_gone",
});

impl From<LeftOut> for Rule {
    fn from(left_out: LeftOut) -> Self {
        match left_out {
            LeftOut::Budget => Self::Budget,
            LeftOut::Limit => Self::Limit,
            LeftOut::Repeats(_) => Self::Repeats,
            LeftOut::Refined => Self::Refined,
            LeftOut::Withheld(Withheld::Unknown) => Self::Unknown,
            LeftOut::Withheld(Withheld::NotThen) => Self::NotThen,
        }
    }
}
