//! Why a call of a tool was not done: the codes that agents are answered with.

use crate::scope::words;

/// The code of a refusal or an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorCode {
    /// The call was done, and there was nothing. Never the code of an error.
    NothingFound,
    /// The arguments are invalid.
    Invalid,
    /// The client has no access any more.
    Revoked,
    /// A grant is missing.
    NotGranted,
    /// Memory is switched off.
    MemoryOff,
    /// It belongs to the worldbuilder.
    Locked,
    /// It is so already.
    NoChange,
    /// The entry is out of use.
    Forgotten,
    /// An entry says the same.
    AlreadyNoted,
    /// It is about a world, and meant for the account.
    NamesWorld,
    /// It may be about a world.
    Unclear,
    /// It was removed for good.
    Scrubbed,
    /// It can be read elsewhere.
    Derivable,
    /// Somebody changed it since it was read.
    StaleVersion,
    /// There is none, or none that may be seen.
    NotFound,
    /// The conversation takes no more messages.
    Ended,
    /// Something else is under way.
    Busy,
    /// The folder cannot be written.
    ReadOnly,
    /// The disk failed.
    Io,
    /// A rule of the database refused it.
    Refused,
    /// A fault of the program or of a model.
    Internal,
}

words!(ErrorCode, "error code", {
    NothingFound => "nothing_found", Invalid => "invalid", Revoked => "revoked", NotGranted => "not_granted",
    MemoryOff => "memory_off", Locked => "locked", NoChange => "no_change", Forgotten => "forgotten",
    AlreadyNoted => "already_noted", NamesWorld => "names_world", Unclear => "unclear", Scrubbed => "scrubbed",
    Derivable => "derivable", StaleVersion => "stale_version", NotFound => "not_found", Ended => "ended", Busy => "busy",
    ReadOnly => "read_only", Io => "io", Refused => "refused", Internal => "internal",
});
