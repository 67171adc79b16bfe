//! Prints scratchpad notes as text.

use crate::output::texts::lines;
use crate::output::texts::minute;
use inklings_api::conversation::view::NoteView;

pub fn notes(notes: &[NoteView]) -> String {
    lines(notes, |note| {
        let until =
            note.expires_at.as_ref().map(|at| format!("  (until {})", minute(at))).unwrap_or_default();
        format!("{}  {}{until}", note.key, note.value)
    })
}
