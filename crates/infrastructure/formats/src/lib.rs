//! Readers of third-party exports: conversations of ChatGPT and Claude as [`ConversationSource`]s, and
//! lorebooks, codices and memories of other programs in [`entries`]. [`jsonc`] changes their configuration
//! files.
//!
//! Conversations are streamed, with one in memory at a time. An archive is never unpacked to disk, so the
//! paths in it cannot escape. Errors name the position in the file and never quote its text.

mod bytes;
mod chatgpt;
mod claude;
mod container;
pub mod entries;
mod export;
pub mod jsonc;
pub mod own;
mod sniff;
#[cfg(feature = "testing")]
pub mod testing;
mod text;

use std::path::Path;

use inklings_application::conversation::import_store::{ConversationSource, SourceError};

use crate::{chatgpt::ChatGpt, claude::Claude, export::Export, sniff::Kind};

/// Opens an export: a `conversations.json` or the numbered parts of large accounts, as a file, or in an
/// archive or folder. Detects the format from the content, not from names.
///
/// # Errors
/// [`SourceError::Io`] if it cannot be read, [`SourceError::UnknownFormat`] for another format,
/// [`SourceError::Broken`] if it ends or is damaged before the format is known, [`SourceError::TooLarge`] for
/// an archive beyond the size limits.
pub fn open(path: &Path) -> Result<Box<dyn ConversationSource>, SourceError> {
    let parts = container::parts(path)?;
    Ok(match sniff::kind(&parts)? {
        Kind::ChatGpt => Box::new(Export::<ChatGpt>::new(parts)),
        Kind::Claude => Box::new(Export::<Claude>::new(parts)),
    })
}
