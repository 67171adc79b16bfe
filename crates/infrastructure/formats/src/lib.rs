//! Readers of third-party exports: conversations of ChatGPT, Claude and SillyTavern as [`ConversationSource`]s, and
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
mod tavern;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
pub mod text_file;
pub mod utf16;

use std::path::Path;

use inklings_ports::conversation::import_store::{ConversationSource, SourceError};

use crate::{chatgpt::ChatGpt, claude::Claude, entries::Format, export::Export, sniff::Kind, tavern::Chats};

/// Opens an export: a `conversations.json`, the numbered parts of large accounts, or a single conversation, as a file, or
/// in an archive or folder; a chat of SillyTavern, or a folder of them. Detects the format from the content, not from names.
///
/// # Errors
/// [`SourceError::Io`] if it cannot be read, [`SourceError::UnknownFormat`] for another format,
/// [`SourceError::Broken`] if it ends or is damaged before the format is known, [`SourceError::TooLarge`] for
/// an archive beyond the size limits.
pub fn open(path: &Path) -> Result<Box<dyn ConversationSource>, SourceError> {
    source(path, false)
}

/// As [`open`], but a conversation that cannot be read is reported ([`SourceItem::Refused`]) and the others are read.
///
/// [`SourceItem::Refused`]: inklings_ports::conversation::import_store::SourceItem::Refused
pub fn open_partly(path: &Path) -> Result<Box<dyn ConversationSource>, SourceError> {
    source(path, true)
}

/// True if a file, archive or folder holds conversations and no memories beside them.
pub fn holds_only_conversations(path: &Path) -> bool {
    open(path).is_ok()
        && (!is_container(path) || entries::open_entries(path, Some(Format::ClaudeMemories)).is_err())
}

/// True for a folder or an archive, which can hold conversations and memories.
fn is_container(path: &Path) -> bool {
    path.is_dir() || container::is_archive(path)
}

fn source(path: &Path, partly: bool) -> Result<Box<dyn ConversationSource>, SourceError> {
    let parts = container::parts(path)?;
    Ok(match sniff::kind(&parts)? {
        Kind::ChatGpt => Box::new(Export::<ChatGpt>::new(parts, partly)),
        Kind::Claude => Box::new(Export::<Claude>::new(parts, partly)),
        Kind::SillyTavern => Box::new(Chats::new(parts, partly)),
    })
}
