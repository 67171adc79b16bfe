//! The JSON form of what an entry was made of, in a file and in the database.

use inklings_domain::derivation::{Derivation, SourceKind, sorted};
use serde_json::{Value, json};

use crate::transfer::{fields::text_of, store::Fields};

/// Derivations as JSON: objects of a kind with an id and a version, or with a digest.
pub fn derivations_value(derivations: &[Derivation]) -> Value {
    let value = |derivation: &Derivation| {
        let kind = derivation.kind().as_str();
        match derivation {
            Derivation::Message(id) => json!({ "kind": kind, "id": id.to_string() }),
            Derivation::Memory { id, version } => {
                json!({ "kind": kind, "id": id.to_string(), "version": version })
            }
            Derivation::Fact { id, version } => {
                json!({ "kind": kind, "id": id.to_string(), "version": version })
            }
            Derivation::File { name, hash } => json!({ "kind": kind, "name": name, "hash": hash }),
            Derivation::Page { id, hash } => json!({ "kind": kind, "id": id.to_string(), "hash": hash }),
        }
    };
    derivations.iter().map(value).collect()
}

/// Derivations from JSON, sorted. `None` if they are none.
pub fn derivations_of(value: &Value) -> Option<Vec<Derivation>> {
    let derivations: Option<Vec<Derivation>> = value.as_array()?.iter().map(derivation_of).collect();
    sorted(derivations?).ok()
}

fn derivation_of(value: &Value) -> Option<Derivation> {
    let fields: &Fields = value.as_object()?;
    let text = |name| text_of(fields, name);
    let version = || fields.get("version").and_then(Value::as_u64);
    let (derivation, members) = match text("kind")?.parse().ok()? {
        SourceKind::Message => (Derivation::Message(text("id")?.parse().ok()?), 2),
        SourceKind::Memory => (Derivation::Memory { id: text("id")?.parse().ok()?, version: version()? }, 3),
        SourceKind::Fact => (Derivation::Fact { id: text("id")?.parse().ok()?, version: version()? }, 3),
        SourceKind::File => {
            (Derivation::File { name: text("name")?.to_owned(), hash: text("hash")?.to_owned() }, 3)
        }
        SourceKind::Page => {
            (Derivation::Page { id: text("id")?.parse().ok()?, hash: text("hash")?.to_owned() }, 3)
        }
    };
    (fields.len() == members && derivation.is_valid()).then_some(derivation)
}

/// The derivations in a row of a file.
pub fn derivations_in(fields: &Fields) -> Vec<Derivation> {
    fields.get("derivations").and_then(derivations_of).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivations_are_read_as_they_were_written_and_nothing_else_is() {
        let id = "00000000-0000-7000-8000-000000000001";
        let (block, file) = ("0".repeat(32), "a".repeat(64));
        let all = json!([
            { "kind": "message", "id": id },
            { "kind": "memory", "id": id, "version": 3 },
            { "kind": "fact", "id": id, "version": 1 },
            { "kind": "file", "name": "lore.json", "hash": file },
            { "kind": "page", "id": id, "hash": block },
        ]);
        let read = derivations_of(&all).expect("derivations");
        assert_eq!(derivations_value(&read), all);
        for bad in [
            json!({ "kind": "message", "id": id, "version": 1 }),
            json!({ "kind": "memory", "id": id }),
            json!({ "kind": "memory", "id": id, "version": 0 }),
            json!({ "kind": "file", "name": "/home/mira/lore.json", "hash": file }),
            json!({ "kind": "file", "name": "lore.json", "hash": "short" }),
            json!({ "kind": "page", "id": id, "hash": file }),
            json!({ "kind": "dream", "id": id }),
        ] {
            assert_eq!(derivations_of(&json!([bad])), None, "{bad}");
        }
    }
}
