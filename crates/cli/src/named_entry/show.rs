//! Prints named entries as text.

use crate::output::texts::line;
use crate::output::texts::word;
use inklings_api::named_entry::view::NamedEntryView;

pub fn named(entries: &[NamedEntryView]) -> String {
    let row = |entry: &NamedEntryView| {
        let aliases = if entry.aliases.is_empty() {
            String::new()
        } else {
            format!("  (also {})", entry.aliases.join(", "))
        };
        let text = if entry.content.is_empty() { "empty".to_owned() } else { line(&entry.content) };
        format!("{}{aliases}  {}  {} tokens  {text}", entry.name, word(&entry.scope), entry.tokens)
    };
    entries.iter().map(row).collect::<Vec<_>>().join("\n")
}

pub fn named_whole(entry: &NamedEntryView) -> String {
    if entry.content.is_empty() { format!("(empty) {}", entry.placeholder) } else { entry.content.clone() }
}
