//! Channels, conversations, messages and episodes.

pub(crate) mod branches;
pub(crate) mod channels;
pub(crate) mod episodes;
pub(crate) mod import;
pub(crate) mod message_backlogs;
pub(crate) mod relocate;
pub(crate) mod transcript;
pub(crate) mod transcript_rows;
pub(crate) mod transcript_vectors;
