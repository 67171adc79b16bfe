//! Show.

use crate::output::texts::lines;
use crate::output::texts::minute;
use inklings_api::{
    conversation::{
        import_view::ConversationImportPreview,
        view::{
            CompactionPreview, ContextView, ConversationView, Delivery, EpisodeView, FactSource,
            FactValueView, FactView, MessageHit, MessageView, NoteView, Role, SummaryMaker,
        },
    },
    model::chat_view::ChatSettings,
    workspace::view::ChannelView,
};
use std::fmt::Write as _;

pub fn notes(notes: &[NoteView]) -> String {
    lines(notes, |note| {
        let until =
            note.expires_at.as_ref().map(|at| format!("  (until {})", minute(at))).unwrap_or_default();
        format!("{}  {}{until}", note.key, note.value)
    })
}
