//! Reads entries by id, all packed into one row. With one row each, the reader would be woken for every
//! entry, which takes longer than reading.

use std::borrow::Cow;

use inklings_application::memory::store::StoredEntry;
use inklings_domain::{
    memory::{Forgotten, Importance, MemoryEntry, Origin},
    scope::{MemoryScope, Place},
};
use serde::Deserialize;

use super::rows::{forget_reason, moment, parsed, sources};
use crate::error::{DbError, DbResult};

macro_rules! packed_from {
    ($from:literal) => {
        concat!("SELECT json_group_array(json_array(m.id, m.scope, m.channel_id, m.conversation_id, \
             m.lifetime, m.curator, m.source, m.kind, m.name, m.aliases, m.content, format('%!.20g', m.importance), m.tags, m.pinned, \
             m.external_id, m.session, m.speaker, m.said_at, m.source_conversation_id, m.version, m.written_by, \
             m.change_id, m.forgotten_at, m.forgotten_reason, m.forgotten_run, m.consolidated_into, m.access_count, m.created_at, m.updated_at, \
             m.accessed_at, m.derived_from, m.embedded_by, m.forgotten_code)) FROM ", $from)
    };
}

/// The entries of a workspace (first parameter) with these ids (second), in the format of [`entries`].
/// Importance keeps all its digits.
pub const BY_ID: &str =
    packed_from!("memories AS m WHERE m.workspace_id = ?1 AND m.id IN (SELECT value FROM json_each(?2))");

/// Like [`BY_ID`], with row numbers.
pub const BY_ROW_NUMBER: &str =
    packed_from!("json_each(?2) AS j CROSS JOIN memories AS m ON m.seq = j.value WHERE m.workspace_id = ?1");

/// A packed entry of [`BY_ID`], in its column order.
#[derive(Deserialize)]
struct JsonRows<'t> {
    #[serde(borrow)]
    id: Cow<'t, str>,
    #[serde(borrow)]
    scope: Cow<'t, str>,
    #[serde(borrow)]
    channel_id: Option<Cow<'t, str>>,
    #[serde(borrow)]
    conversation_id: Option<Cow<'t, str>>,
    #[serde(borrow)]
    lifetime: Cow<'t, str>,
    #[serde(borrow)]
    curator: Cow<'t, str>,
    source: String,
    #[serde(borrow)]
    kind: Cow<'t, str>,
    name: Option<String>,
    #[serde(borrow)]
    aliases: Cow<'t, str>,
    content: String,
    #[serde(borrow)]
    importance: Cow<'t, str>,
    #[serde(borrow)]
    tags: Cow<'t, str>,
    pinned: u8,
    external_id: Option<String>,
    session: Option<String>,
    speaker: Option<String>,
    said_at: Option<String>,
    #[serde(borrow)]
    source_conversation_id: Option<Cow<'t, str>>,
    version: u64,
    #[serde(borrow)]
    written_by: Cow<'t, str>,
    #[serde(borrow)]
    change_id: Cow<'t, str>,
    forgotten_at: Option<i64>,
    forgotten_reason: Option<String>,
    #[serde(borrow)]
    forgotten_run: Option<Cow<'t, str>>,
    #[serde(borrow)]
    consolidated_into: Option<Cow<'t, str>>,
    access_count: u64,
    created_at: i64,
    updated_at: i64,
    accessed_at: i64,
    #[serde(borrow)]
    derived_from: Cow<'t, str>,
    embedded_by: Option<String>,
    /// Missing in changes that an earlier release stored.
    #[serde(borrow, default)]
    forgotten_code: Option<Cow<'t, str>>,
}

/// Parses the result of [`BY_ID`].
pub fn entries(json_rows: &str) -> DbResult<Vec<StoredEntry>> {
    let rows: Vec<JsonRows<'_>> =
        serde_json::from_str(json_rows).map_err(|_| DbError::Row { column: "entry" })?;
    rows.into_iter().map(stored).collect()
}

fn maybe<T: std::str::FromStr>(text: Option<&str>, column: &'static str) -> DbResult<Option<T>> {
    text.map(|text| parsed(text, column)).transpose()
}

fn stored(row: JsonRows<'_>) -> DbResult<StoredEntry> {
    let importance: f64 = parsed(&row.importance, "importance")?;
    let entry = MemoryEntry {
        id: parsed(&row.id, "id")?,
        place: place(&row)?,
        lifetime: parsed(&row.lifetime, "lifetime")?,
        curator: parsed(&row.curator, "curator")?,
        kind: parsed(&row.kind, "kind")?,
        importance: Importance::new(importance).map_err(|_| DbError::Row { column: "importance" })?,
        tags: serde_json::from_str(&row.tags).map_err(|_| DbError::Row { column: "tags" })?,
        aliases: serde_json::from_str(&row.aliases).map_err(|_| DbError::Row { column: "aliases" })?,
        pinned: row.pinned != 0,
        version: row.version,
        written_by: parsed(&row.written_by, "written_by")?,
        change: parsed(&row.change_id, "change_id")?,
        consolidated_into: maybe(row.consolidated_into.as_deref(), "consolidated_into")?,
        access_count: row.access_count,
        created_at: moment(row.created_at, "created_at")?,
        updated_at: moment(row.updated_at, "updated_at")?,
        accessed_at: moment(row.accessed_at, "accessed_at")?,
        derived_from: sources(&row.derived_from)?,
        forgotten: match row.forgotten_at {
            None => None,
            Some(at) => Some(Forgotten {
                at: moment(at, "forgotten_at")?,
                reason: forget_reason(
                    row.forgotten_code.as_deref(),
                    row.forgotten_reason.as_deref().ok_or(DbError::Row { column: "forgotten_reason" })?,
                )?,
                run: maybe(row.forgotten_run.as_deref(), "forgotten_run")?,
            }),
        },
        origin: Some(Origin {
            external_id: row.external_id,
            session: row.session,
            speaker: row.speaker,
            said_at: row.said_at,
            conversation: maybe(row.source_conversation_id.as_deref(), "source_conversation_id")?,
        })
        .filter(|origin| *origin != Origin::default()),
        source: row.source,
        name: row.name,
        content: row.content,
    };
    Ok(StoredEntry { entry, embedded_by: row.embedded_by })
}

fn place(row: &JsonRows<'_>) -> DbResult<Place> {
    let channel =
        || maybe(row.channel_id.as_deref(), "channel_id")?.ok_or(DbError::Row { column: "channel_id" });
    let conversation = || {
        maybe(row.conversation_id.as_deref(), "conversation_id")?
            .ok_or(DbError::Row { column: "conversation_id" })
    };
    Ok(match parsed(&row.scope, "scope")? {
        MemoryScope::Account => Place::Account,
        MemoryScope::Workspace => Place::Workspace,
        MemoryScope::Channel => Place::Channel(channel()?),
        MemoryScope::Conversation => Place::Conversation(channel()?, conversation()?),
    })
}

#[cfg(test)]
mod tests {
    use inklings_domain::forget_reason::ForgetReason;

    use super::*;

    /// The format in which an earlier release stored a change of two files, in `.changes/`.
    #[test]
    fn an_entry_that_was_packed_without_a_code_has_the_reason_that_its_text_tells() {
        let id = "00000000-0000-7000-8000-000000000001";
        let json_rows = |more: &str| {
            format!(
                r#"[["{id}","account",null,null,"long_term","agent","user","note",null,"[]","A text.","0.5","[]",0,
                null,null,null,null,null,2,"system","{id}",1000000,"it had faded",null,null,0,1,1,1,"[]",null{more}]]"#
            )
        };
        for (more, reason) in [
            ("", ForgetReason::Faded),
            (r#","asked""#, ForgetReason::Asked(Some("it had faded".into()))),
            (r#","capped""#, ForgetReason::Capped),
        ] {
            let entry = entries(&json_rows(more)).expect("reads").remove(0).entry;
            assert_eq!(entry.forgotten.expect("forgotten").reason, reason);
        }
        assert!(entries(&json_rows(r#","unheard of""#)).is_err());
    }
}
