//! Rows of an [`super::memory_store::InMemoryDatabase`] as a file has them, and back.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use inklings_domain::{
    change_set::JournalRow,
    channel::{Channel, ChannelName},
    conversation::Conversation,
    episode::Episode,
    fact::{Claim, Fact, FactKey, FactValue},
    ids::{ChangeId, ChannelId, ConversationId, WorkspaceId},
    memory::{Forgotten, Importance, MemoryEntry, Origin},
    message::{CompactMarker, Message, MessageOrigin, NewMessage, ToolUse},
    scope::{MemoryScope, Place},
    scratchpad::WorkingNote,
};
use serde_json::Value;

use crate::{
    ports::{error::StoreError, fact_store::Settlement, transfer_store::Fields},
    transfer::{read_moment, shape::Section, written_moment},
};

/// A row that is being written down; what is empty says nothing.
#[derive(Default)]
struct Row(Fields);

impl Row {
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    fn maybe<T: Into<Value>>(self, name: &str, value: Option<T>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    fn at(self, name: &str, at: DateTime<Utc>) -> Self {
        self.with(name, written_moment(at))
    }

    fn maybe_at(self, name: &str, at: Option<DateTime<Utc>>) -> Self {
        self.maybe(name, at.map(written_moment))
    }

    fn text(self, name: &str, text: &str) -> Self {
        self.maybe(name, (!text.is_empty()).then_some(text))
    }

    fn texts(self, name: &str, texts: &[String]) -> Self {
        self.maybe(name, (!texts.is_empty()).then(|| texts.to_vec()))
    }

    fn flag(self, name: &str, flag: bool) -> Self {
        self.maybe(name, flag.then_some(true))
    }
}

fn broken(name: &str) -> StoreError {
    StoreError::Refused(format!("{name} cannot be read").into())
}

pub(super) fn text(fields: &Fields, name: &str) -> String {
    fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn maybe_text(fields: &Fields, name: &str) -> Option<String> {
    fields.get(name).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn maybe<T: FromStr>(fields: &Fields, name: &str) -> Result<Option<T>, StoreError> {
    maybe_text(fields, name).map(|text| text.parse().map_err(|_| broken(name))).transpose()
}

pub(super) fn word<T: FromStr>(fields: &Fields, name: &str) -> Result<T, StoreError> {
    maybe(fields, name)?.ok_or_else(|| broken(name))
}

fn maybe_at(fields: &Fields, name: &str) -> Option<DateTime<Utc>> {
    fields.get(name).and_then(Value::as_str).and_then(read_moment)
}

fn at(fields: &Fields, name: &str) -> Result<DateTime<Utc>, StoreError> {
    maybe_at(fields, name).ok_or_else(|| broken(name))
}

pub(super) fn number(fields: &Fields, name: &str) -> u64 {
    fields.get(name).and_then(Value::as_u64).unwrap_or_default()
}

fn flag(fields: &Fields, name: &str) -> bool {
    fields.get(name).and_then(Value::as_bool).unwrap_or_default()
}

fn texts(fields: &Fields, name: &str) -> Vec<String> {
    let list = fields.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn importance(fields: &Fields) -> Result<Importance, StoreError> {
    let number = fields.get("importance").and_then(Value::as_f64).ok_or_else(|| broken("importance"))?;
    Importance::new(number).map_err(|_| broken("importance"))
}

pub(super) fn items(fields: &Fields, list: &str) -> Vec<Fields> {
    let list = fields.get(list).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|item| item.as_object().cloned()).collect()
}

/// What a file calls a channel, and what it is called here.
pub(super) struct Names<'a> {
    pub out: &'a dyn Fn(ChannelId) -> String,
    pub of: &'a dyn Fn(&str) -> Result<ChannelId, StoreError>,
}

pub(super) fn channel_row(channel: &Channel, names: &Names<'_>) -> Fields {
    Row::default()
        .with("id", (names.out)(channel.id))
        .with("name", channel.name.as_str())
        .text("description", &channel.description)
        // When a workspace began is its own, and this channel began with it.
        .maybe_at("created_at", (!channel.is_default).then_some(channel.created_at))
        .maybe_at("archived_at", channel.archived_at)
        .0
}

pub(super) fn channel(
    fields: &Fields,
    workspace: WorkspaceId,
    now: DateTime<Utc>,
) -> Result<Channel, StoreError> {
    Ok(Channel {
        id: word(fields, "id")?,
        workspace_id: workspace,
        name: ChannelName::new(&text(fields, "name")).map_err(|_| broken("name"))?,
        description: text(fields, "description"),
        is_default: false,
        created_at: maybe_at(fields, "created_at").unwrap_or(now),
        archived_at: maybe_at(fields, "archived_at"),
    })
}

pub(super) fn conversation_row(
    conversation: &Conversation,
    last: u64,
    external: Option<&str>,
    names: &Names<'_>,
) -> Fields {
    Row::default()
        .with("id", conversation.id.to_string())
        .with("channel_id", (names.out)(conversation.channel_id))
        .with("ref_code", conversation.ref_code.to_string())
        .text("title", &conversation.title)
        .with("status", conversation.status.as_str())
        .at("started_at", conversation.started_at)
        .maybe_at("ended_at", conversation.ended_at)
        .maybe("continues_id", conversation.continues.map(|id| id.to_string()))
        .at("active_at", conversation.active_at)
        .with("last_position", last)
        .maybe("external_id", external)
        .0
}

pub(super) fn conversation(fields: &Fields, names: &Names<'_>) -> Result<Conversation, StoreError> {
    Ok(Conversation {
        id: word(fields, "id")?,
        ref_code: word(fields, "ref_code")?,
        channel_id: (names.of)(&text(fields, "channel_id"))?,
        title: text(fields, "title"),
        started_at: at(fields, "started_at")?,
        ended_at: maybe_at(fields, "ended_at"),
        status: word(fields, "status")?,
        continues: maybe(fields, "continues_id")?,
        active_at: at(fields, "active_at")?,
    })
}

pub(super) fn entry_row(entry: &MemoryEntry, names: &Names<'_>) -> Fields {
    let (origin, forgotten) = (entry.origin.as_ref(), entry.forgotten.as_ref());
    let of = |field: fn(&Origin) -> &Option<String>| origin.and_then(|origin| field(origin).clone());
    Row::default()
        .with("id", entry.id.to_string())
        .with("scope", entry.scope().as_str())
        .maybe("channel_id", entry.place.channel().map(names.out))
        .maybe("conversation_id", entry.place.conversation().map(|id| id.to_string()))
        .with("lifetime", entry.lifetime.as_str())
        .with("curator", entry.curator.as_str())
        .with("kind", entry.kind.as_str())
        .with("importance", entry.importance.get())
        .flag("pinned", entry.pinned)
        .maybe_at("forgotten_at", forgotten.map(|forgotten| forgotten.at))
        .with("source", &*entry.source)
        .maybe("speaker", of(|origin| &origin.speaker))
        .with("version", entry.version)
        .with("written_by", entry.written_by.as_str())
        .maybe("access_count", (entry.access_count > 0).then_some(entry.access_count))
        .at("created_at", entry.created_at)
        .at("accessed_at", entry.accessed_at)
        .at("updated_at", entry.updated_at)
        .texts("tags", &entry.tags)
        .maybe("name", entry.name.clone())
        .texts("aliases", &entry.aliases)
        .maybe("external_id", of(|origin| &origin.external_id))
        .maybe("session", of(|origin| &origin.session))
        .maybe("said_at", of(|origin| &origin.said_at))
        .maybe("source_conversation_id", origin.and_then(|o| o.conversation).map(|id| id.to_string()))
        .maybe("forgotten_reason", forgotten.map(|forgotten| forgotten.reason.clone()))
        .maybe("forgotten_run", forgotten.and_then(|forgotten| forgotten.run).map(|id| id.to_string()))
        .maybe("consolidated_into", entry.consolidated_into.map(|id| id.to_string()))
        .texts("derived_from", &entry.derived_from.iter().map(ToString::to_string).collect::<Vec<_>>())
        .with("content", &*entry.content)
        .0
}

/// An earlier version: what a writer can change.
pub(super) fn version_row(entry: &MemoryEntry, names: &Names<'_>) -> Fields {
    let mut row = entry_row(entry, names);
    let shape = Section::Memories.lists()[0].1;
    row.retain(|name, _| shape.iter().any(|field| field.name == name));
    row
}

/// The entry of a row. Of a version, `place` is the whole row, whose place and creation it has.
pub(super) fn entry(
    fields: &Fields,
    place: &Fields,
    change: ChangeId,
    names: &Names<'_>,
) -> Result<MemoryEntry, StoreError> {
    let channel = || (names.of)(&text(place, "channel_id"));
    let origin = Origin {
        external_id: maybe_text(fields, "external_id"),
        session: maybe_text(fields, "session"),
        speaker: maybe_text(fields, "speaker"),
        said_at: maybe_text(fields, "said_at"),
        conversation: maybe(fields, "source_conversation_id")?,
    };
    let none = Origin { external_id: None, session: None, speaker: None, said_at: None, conversation: None };
    let run = maybe(fields, "forgotten_run")?;
    let forgotten = maybe_at(fields, "forgotten_at");
    Ok(MemoryEntry {
        id: word(place, "id")?,
        place: match word(place, "scope")? {
            MemoryScope::Account => Place::Account,
            MemoryScope::Workspace => Place::Workspace,
            MemoryScope::Channel => Place::Channel(channel()?),
            MemoryScope::Conversation => Place::Conversation(channel()?, word(place, "conversation_id")?),
        },
        lifetime: word(fields, "lifetime")?,
        curator: word(fields, "curator")?,
        source: text(fields, "source"),
        kind: word(fields, "kind")?,
        name: maybe_text(fields, "name"),
        aliases: texts(fields, "aliases"),
        content: text(fields, "content"),
        importance: importance(fields)?,
        tags: texts(fields, "tags"),
        pinned: flag(fields, "pinned"),
        origin: (origin != none).then_some(origin),
        version: number(fields, "version"),
        written_by: word(fields, "written_by")?,
        change,
        forgotten: forgotten.map(|at| Forgotten { at, reason: text(fields, "forgotten_reason"), run }),
        consolidated_into: maybe(fields, "consolidated_into")?,
        derived_from: texts(fields, "derived_from")
            .iter()
            .map(|source| source.parse().map_err(|_| broken("derived_from")))
            .collect::<Result<_, _>>()?,
        access_count: number(fields, "access_count"),
        created_at: at(place, "created_at")?,
        updated_at: at(fields, "updated_at")?,
        accessed_at: at(fields, "accessed_at")?,
    })
}

pub(super) fn message_row(message: &Message) -> Fields {
    let body = &message.body;
    let (tool, marker, origin) = (body.tool.as_ref(), body.marker.as_ref(), body.origin.as_ref());
    let of = |field: fn(&MessageOrigin) -> &Option<String>| origin.and_then(|origin| field(origin).clone());
    Row::default()
        .with("id", body.id.to_string())
        .with("conversation_id", message.conversation.to_string())
        .with("position", message.position)
        .with("role", body.role.as_str())
        .with("delivery", body.delivery.as_str())
        .with("importance", body.importance.get())
        .at("at", body.at)
        .at("updated_at", message.updated_at)
        .maybe_at("consolidated_at", message.consolidated_at)
        .maybe("tool_call_id", tool.map(|tool| tool.call_id.clone()))
        .maybe("tool_name", tool.map(|tool| tool.name.clone()))
        .maybe("archive_id", marker.map(|marker| marker.archive.to_string()))
        .maybe("archive_name", marker.map(|marker| marker.archive_name.clone()))
        .maybe_at("archived_at", marker.map(|marker| marker.archived_at))
        .maybe("through", marker.map(|marker| marker.through))
        .maybe("external_id", of(|origin| &origin.external_id))
        .maybe("session", of(|origin| &origin.session))
        .maybe("speaker", of(|origin| &origin.speaker))
        .maybe("said_at", of(|origin| &origin.said_at))
        .maybe("tool_calls", body.calls.clone())
        .with("content", &*body.content)
        .0
}

pub(super) fn message(fields: &Fields) -> Result<Message, StoreError> {
    let archive = maybe(fields, "archive_id")?;
    let marker = archive.map(|archive| {
        Ok::<_, StoreError>(CompactMarker {
            archive,
            archive_name: text(fields, "archive_name"),
            archived_at: at(fields, "archived_at")?,
            through: number(fields, "through"),
        })
    });
    let origin = MessageOrigin {
        external_id: maybe_text(fields, "external_id"),
        session: maybe_text(fields, "session"),
        speaker: maybe_text(fields, "speaker"),
        said_at: maybe_text(fields, "said_at"),
    };
    let none = MessageOrigin { external_id: None, session: None, speaker: None, said_at: None };
    let name = text(fields, "tool_name");
    Ok(Message {
        conversation: word(fields, "conversation_id")?,
        position: number(fields, "position"),
        body: NewMessage {
            id: word(fields, "id")?,
            role: word(fields, "role")?,
            content: text(fields, "content"),
            importance: importance(fields)?,
            tool: maybe_text(fields, "tool_call_id").map(|call_id| ToolUse { call_id, name }),
            calls: maybe_text(fields, "tool_calls"),
            delivery: word(fields, "delivery")?,
            marker: marker.transpose()?,
            origin: (origin != none).then_some(origin),
            at: at(fields, "at")?,
        },
        updated_at: at(fields, "updated_at")?,
        consolidated_at: maybe_at(fields, "consolidated_at"),
    })
}

pub(super) fn episode_row(episode: &Episode) -> Fields {
    let sources: Vec<String> = episode.sources.iter().map(ToString::to_string).collect();
    Row::default()
        .with("id", episode.id.to_string())
        .with("conversation_id", episode.conversation.to_string())
        .with("maker", episode.maker.as_str())
        .with("turn_count", episode.sources.len() as u64)
        .with("source_ids", sources)
        .at("from_at", episode.from)
        .at("until_at", episode.until)
        .at("created_at", episode.created_at)
        .with("summary", &*episode.summary)
        .0
}

pub(super) fn episode(fields: &Fields) -> Result<Episode, StoreError> {
    let sources = texts(fields, "source_ids");
    let sources: Result<_, _> =
        sources.iter().map(|id| id.parse().map_err(|_| broken("source_ids"))).collect();
    Ok(Episode {
        id: word(fields, "id")?,
        conversation: word(fields, "conversation_id")?,
        summary: text(fields, "summary"),
        sources: sources?,
        from: at(fields, "from_at")?,
        until: at(fields, "until_at")?,
        maker: word(fields, "maker")?,
        created_at: at(fields, "created_at")?,
    })
}

/// A claim, and how it was settled and when.
pub(super) type Claimed = (Claim, Option<(Settlement, DateTime<Utc>)>);

pub(super) fn fact_row(fact: &Fact, earlier: &[FactValue], claims: &[&Claimed]) -> Fields {
    let about = |conversation: Option<ConversationId>| conversation.map(|id| id.to_string());
    let values: Vec<Value> = earlier
        .iter()
        .map(|value| {
            Row::default()
                .with("version", value.version)
                .with("source", value.source.as_str())
                .maybe("conversation_id", about(value.conversation))
                .at("from_at", value.from)
                .maybe_at("until_at", value.until)
                .with("removed", value.removed)
                .with("value", &*value.value)
                .0
                .into()
        })
        .collect();
    let told = |(claim, settled): &&Claimed| -> Value {
        let state = match settled {
            None => "open",
            Some((Settlement::Accepted, _)) => "accepted",
            Some((Settlement::Rejected, _)) => "rejected",
        };
        Row::default()
            .with("id", claim.id.to_string())
            .maybe("conversation_id", about(claim.conversation))
            .at("at", claim.at)
            .with("state", state)
            .maybe_at("settled_at", settled.map(|(_, at)| at))
            .with("value", &*claim.value)
            .0
            .into()
    };
    let claims: Vec<Value> = claims.iter().map(told).collect();
    Row::default()
        .with("id", fact.id.to_string())
        .with("category", fact.key.category())
        .with("key", fact.key.key())
        .with("source", fact.source.as_str())
        // Nobody but its source writes a value here.
        .with("written_by", fact.source.as_str())
        .with("version", fact.version)
        .maybe("conversation_id", about(fact.conversation))
        .at("created_at", fact.created_at)
        .at("updated_at", fact.updated_at)
        .maybe_at("removed_at", fact.removed_at)
        .with("value", &*fact.value)
        .maybe("values", (!values.is_empty()).then_some(values))
        .maybe("claims", (!claims.is_empty()).then_some(claims))
        .0
}

pub(super) fn fact(fields: &Fields) -> Result<(Fact, Vec<FactValue>, Vec<Claimed>), StoreError> {
    let fact = Fact {
        id: word(fields, "id")?,
        key: FactKey::new(&text(fields, "category"), &text(fields, "key")).map_err(|_| broken("key"))?,
        value: text(fields, "value"),
        source: word(fields, "source")?,
        conversation: maybe(fields, "conversation_id")?,
        created_at: at(fields, "created_at")?,
        updated_at: at(fields, "updated_at")?,
        version: number(fields, "version"),
        removed_at: maybe_at(fields, "removed_at"),
    };
    let value = |item: &Fields| {
        Ok(FactValue {
            version: number(item, "version"),
            value: text(item, "value"),
            source: word(item, "source")?,
            conversation: maybe(item, "conversation_id")?,
            from: at(item, "from_at")?,
            until: maybe_at(item, "until_at"),
            removed: flag(item, "removed"),
        })
    };
    let claim = |item: &Fields| {
        let claim = Claim {
            id: word(item, "id")?,
            fact: fact.id,
            value: text(item, "value"),
            conversation: maybe(item, "conversation_id")?,
            at: at(item, "at")?,
        };
        let settled = match &*text(item, "state") {
            "accepted" => Some((Settlement::Accepted, at(item, "settled_at")?)),
            "rejected" => Some((Settlement::Rejected, at(item, "settled_at")?)),
            _ => None,
        };
        Ok((claim, settled))
    };
    let values = items(fields, "values").iter().map(value).collect::<Result<_, StoreError>>()?;
    let claims = items(fields, "claims").iter().map(claim).collect::<Result<_, StoreError>>()?;
    Ok((fact, values, claims))
}

pub(super) fn note_row(note: &WorkingNote) -> Fields {
    Row::default()
        .with("conversation_id", note.conversation.to_string())
        .with("key", &*note.key)
        .at("created_at", note.created_at)
        .at("updated_at", note.updated_at)
        .maybe("ttl_seconds", note.ttl_seconds)
        .maybe_at("expires_at", note.expires_at)
        .with("value", &*note.value)
        .0
}

pub(super) fn note(fields: &Fields) -> Result<WorkingNote, StoreError> {
    let ttl = fields.get("ttl_seconds").and_then(Value::as_u64);
    Ok(WorkingNote {
        conversation: word(fields, "conversation_id")?,
        key: text(fields, "key"),
        value: text(fields, "value"),
        created_at: at(fields, "created_at")?,
        updated_at: at(fields, "updated_at")?,
        ttl_seconds: ttl.map(u32::try_from).transpose().map_err(|_| broken("ttl_seconds"))?,
        expires_at: maybe_at(fields, "expires_at"),
    })
}

pub(super) fn journal_row(row: &JournalRow) -> Fields {
    Row::default()
        .with("sequence", row.sequence)
        .with("id", row.change.to_string())
        .with("action", row.action.as_str())
        .with("hand", row.hand.as_str())
        .with("door", row.door.as_str())
        .maybe("run_id", row.run.map(|id| id.to_string()))
        .at("at", row.at)
        .with("entries", row.entries)
        .maybe("undoes", row.undoes.map(|id| id.to_string()))
        .maybe("undone_by", row.undone_by.map(|id| id.to_string()))
        .0
}
