//! What an entry says of the graph of a world: its kind, a relation, what it is about.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Format, ThirdPartyEntry};

/// What an entry states of two others, which it names.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Relation {
    /// The relation, such as "sister of".
    pub relation: String,
    /// Name of the entry that it starts at.
    pub from: String,
    /// Name of the entry that it leads to.
    pub to: String,
}

impl Relation {
    /// As JSON.
    pub(super) fn written(&self) -> Value {
        json!({ "relation": self.relation, "from": self.from, "to": self.to })
    }

    /// A relation from JSON, with these three fields alone.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let fields = value.as_object().filter(|fields| fields.len() == 3)?;
        let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self { relation: text("relation")?, from: text("from")?, to: text("to")? })
    }
}

/// Other names by which the links of its file call an entry: its path in a vault, its name in a graph.
pub fn handles(entry: &ThirdPartyEntry, format: Format) -> Vec<String> {
    let text = |key: &str| entry.extra.get(key).and_then(Value::as_str);
    match format {
        Format::McpJsonl => text("name").map(str::to_owned).into_iter().collect(),
        // A part of a long note is not what a link to the note means.
        Format::Markdown if entry.extra.get("part").is_none() => {
            text("path").map(endings).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A path and its endings, each with and without the ending of the file: a vault needs no more than tells files apart.
fn endings(path: &str) -> Vec<String> {
    let steps = path.match_indices('/').map(|(at, _)| at + 1);
    let shorter = std::iter::once(0).chain(steps).map(|at| &path[at..]);
    shorter
        .flat_map(|path| [Some(path), path.rsplit_once('.').map(|(stem, _)| stem)])
        .flatten()
        .map(str::to_owned)
        .collect()
}

/// The names that an entry links to in its own text. Only a Markdown text has links.
pub fn links_in_text(content: &str, format: Format) -> Vec<String> {
    if format == Format::Markdown {
        inklings_application::markdown::wiki::wiki_links(content)
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_called_by_its_path_and_by_the_ends_of_it() {
        let note = ThirdPartyEntry { extra: json!({"path": "people/Ama.md"}), ..ThirdPartyEntry::default() };
        assert_eq!(handles(&note, Format::Markdown), ["people/Ama.md", "people/Ama", "Ama.md", "Ama"]);
        let part =
            ThirdPartyEntry { extra: json!({"path": "Ama.md", "part": 2}), ..ThirdPartyEntry::default() };
        assert!(handles(&part, Format::Markdown).is_empty());
    }
}
