//! Readers of what other programs export: the conversations of ChatGPT and of Claude, as [`ConversationSource`]s.
//!
//! Everything is streamed: one conversation is in memory at a time, whatever the size of the file. An archive is read
//! where it lies; nothing of it is ever written to disk, so the names inside it cannot lead anywhere. Errors carry the
//! place in the file and never a word of it.
//!
//! And, in [`entries`], readers and writers of what other programs call lorebooks, codices and memories.

mod bytes;
mod chatgpt;
mod claude;
mod container;
pub mod entries;
mod export;
pub mod own;
mod sniff;
#[cfg(feature = "testing")]
pub mod testing;
mod text;

use std::path::Path;

use inklings_application::conversation::import_store::{ConversationSource, SourceError};

use crate::{chatgpt::ChatGpt, claude::Claude, export::Export, sniff::Kind};

/// Opens an export: a `conversations.json` (or the numbered parts that large accounts get), the archive or the folder
/// that holds it. Whose it is follows from what is inside, never from a name.
///
/// # Errors
/// [`SourceError::Io`] if it cannot be read, [`SourceError::UnknownFormat`] if it is something else,
/// [`SourceError::Broken`] if it ends or breaks before that can be told, [`SourceError::TooLarge`] for an archive
/// that unpacks beyond every bound.
pub fn open(path: &Path) -> Result<Box<dyn ConversationSource>, SourceError> {
    let parts = container::parts(path)?;
    Ok(match sniff::kind(&parts)? {
        Kind::ChatGpt => Box::new(Export::<ChatGpt>::new(parts)),
        Kind::Claude => Box::new(Export::<Claude>::new(parts)),
    })
}
