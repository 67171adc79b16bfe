//! Export and import of an [`InMemoryDatabase`]: a snapshot is a copy, an import writes into one and puts it in place.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use inklings_domain::{
    change_set::{Action, JournalRow},
    embedding::ModelId,
    ids::{ChangeId, ChannelId, MemoryId, RunId, WorkspaceId},
    memory::MemoryEntry,
    named_entry::{key, names_of},
    provenance::Hand,
    run::Run,
    text::fold,
};
use serde_json::Value;

use super::{
    clock::next_order,
    memory_store::{InMemoryDatabase, Tables},
    transfer_rows as rows,
    transfer_snapshot::Snapshot,
};
use crate::{
    ports::{
        clock::IdGenerator,
        error::StoreError,
        settings::Topic,
        transfer_store::{
            Fields, ImportStamp, TransferRow, TransferSnapshot, TransferStore, TransferWriter, Within,
        },
    },
    transfer::{
        shape::{BESIDE, DEFAULT_CHANNEL, Section, part_of},
        vector,
    },
};

/// What files said that this release does not know: by section (none for the file itself), row and part.
pub(super) type Beside = BTreeMap<(Option<Section>, String, String), Value>;

/// An import into the account that its run decides about.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub run: RunId,
    pub follows: WorkspaceId,
    pub after: Box<Tables>,
}

/// Both sections of entries keep theirs in one place.
pub(super) const fn table(section: Section) -> Section {
    if section.holds_entries() { Section::Memories } else { section }
}

pub(super) fn row_id(section: Section, fields: &Fields, channel: &str) -> String {
    match section {
        Section::Channels => channel.to_owned(),
        Section::Scratchpads => {
            format!("{} {}", rows::text(fields, "conversation_id"), rows::text(fields, "key"))
        }
        _ => rows::text(fields, "id"),
    }
}

fn vectors_of(fields: &Fields) -> Result<Vec<(ModelId, Vec<f32>)>, StoreError> {
    let read = |item: &Fields| {
        let bytes = vector::decode(&rows::text(item, "vector"), rows::number(item, "dimension"));
        let bytes = bytes.ok_or_else(|| StoreError::Refused("a vector cannot be read".into()))?;
        let numbers = bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        Ok((ModelId::new(rows::text(item, "model")), numbers.collect()))
    };
    rows::items(fields, "embeddings").iter().map(read).collect()
}

/// An import under way: a copy, which replaces the original at the end. So nobody else may write meanwhile.
struct Writer {
    database: InMemoryDatabase,
    tables: Tables,
    stamp: ImportStamp,
    channels: BTreeMap<String, String>,
    entries: u64,
    /// How many versions the entries that came have, at most.
    levels: usize,
}

impl Writer {
    fn channel(&self, id: &str) -> String {
        let general = || self.tables.general().map(|id| id.to_string()).unwrap_or_default();
        match self.channels.get(id) {
            Some(to) => to.clone(),
            None if id == DEFAULT_CHANNEL => general(),
            None => id.to_owned(),
        }
    }

    fn add_row(&mut self, section: Section, fields: &Fields) -> Result<(), StoreError> {
        let of =
            |id: &str| self.channel(id).parse().map_err(|_| StoreError::Refused("this is no channel".into()));
        let names = rows::Names { out: &|id: ChannelId| id.to_string(), of: &of };
        let refused = |why: &str| Err(StoreError::Refused(why.into()));
        match section {
            Section::Channels if rows::text(fields, "id") == DEFAULT_CHANNEL => {
                let general = self.tables.general();
                if let Some(channel) = general.and_then(|id| self.tables.channels.get_mut(&id))
                    && fields.contains_key("description")
                {
                    channel.description = rows::text(fields, "description");
                }
            }
            Section::Channels => {
                let workspace = self.tables.workspace.unwrap_or(WorkspaceId::ACCOUNT);
                let channel = rows::channel(fields, workspace, self.stamp.at)?;
                let twin = |other: &inklings_domain::channel::Channel| {
                    other.id == channel.id || other.name.folded() == channel.name.folded()
                };
                if self.tables.channels.values().any(twin) {
                    return Err(StoreError::AlreadyExists("channel"));
                }
                self.tables.channels.insert(channel.id, channel);
            }
            Section::Conversations => {
                let talk = rows::conversation(fields, &names)?;
                let twin = |c: &inklings_domain::conversation::Conversation| {
                    c.id == talk.id || c.ref_code == talk.ref_code
                };
                if self.tables.conversations.values().any(twin) {
                    return Err(StoreError::AlreadyExists("conversation"));
                }
                if !self.tables.channels.contains_key(&talk.channel_id) {
                    return refused("no such channel");
                }
                let last = rows::number(fields, "last_position");
                self.tables.transcript.last_positions.insert(talk.id, last);
                if fields.contains_key("external_id") {
                    self.tables.imported.insert(rows::text(fields, "external_id"), talk.id);
                }
                self.tables.conversations.insert(talk.id, talk);
            }
            Section::Memories | Section::NamedEntries => {
                let change = self.stamp.change;
                let entry = rows::entry(fields, fields, change, &names)?;
                let versions = rows::items(fields, "history");
                let versions: Result<Vec<_>, _> =
                    versions.iter().map(|version| rows::entry(version, fields, change, &names)).collect();
                self.tables.take_in_entry(&entry, versions?, fields)?;
                self.levels = self.levels.max(entry.version as usize);
                self.entries += 1;
            }
            Section::Messages => {
                let message = rows::message(fields)?;
                let taken = |m: &inklings_domain::message::Message| {
                    m.id() == message.id()
                        || (m.conversation, m.position) == (message.conversation, message.position)
                };
                if self.tables.transcript.messages.iter().any(taken) {
                    return Err(StoreError::AlreadyExists("message"));
                }
                if !self.tables.conversations.contains_key(&message.conversation) {
                    return refused("no such conversation");
                }
                for (model, numbers) in vectors_of(fields)? {
                    self.tables.transcript.vectors.insert((message.id(), model), numbers);
                }
                self.tables.transcript.messages.push(message);
            }
            Section::Episodes => {
                let episode = rows::episode(fields)?;
                if !self.tables.conversations.contains_key(&episode.conversation) {
                    return refused("no such conversation");
                }
                self.tables.transcript.episodes.push(episode);
            }
            Section::Facts => {
                let (fact, values, claims) = rows::fact(fields)?;
                if self.tables.facts.facts.contains_key(&fact.key.folded()) {
                    return Err(StoreError::AlreadyExists("fact"));
                }
                self.tables.facts.facts.insert(fact.key.folded(), (fact, values));
                self.tables.facts.claims.extend(claims);
            }
            Section::Scratchpads => {
                let note = rows::note(fields)?;
                if !self.tables.conversations.contains_key(&note.conversation) {
                    return refused("no such conversation");
                }
                self.tables.notes.insert((note.conversation, note.key.clone()), note);
            }
            Section::Journal => return refused("the journal is not brought in"),
        }
        self.keep_beside(section, fields);
        Ok(())
    }

    fn keep_beside(&mut self, section: Section, fields: &Fields) {
        let id = row_id(section, fields, &self.channel(&rows::text(fields, "id")));
        let own = fields.get(BESIDE).filter(|_| !section.holds_entries());
        let mut kept: Vec<(String, Value)> =
            own.map(|own| (String::new(), own.clone())).into_iter().collect();
        for (list, _) in section.lists() {
            for item in rows::items(fields, list) {
                kept.extend(item.get(BESIDE).map(|unknown| (part_of(list, &item), unknown.clone())));
            }
        }
        for (part, unknown) in kept {
            self.tables.beside.insert((Some(table(section)), id.clone(), part), unknown);
        }
    }

    fn journal(&mut self, change: ChangeId, entries: u64) {
        let row = JournalRow {
            sequence: self.tables.journal.len() as u64 + 1,
            order: next_order(),
            change,
            action: Action::Import,
            hand: Hand::Import,
            door: self.stamp.door,
            run: Some(self.stamp.run),
            at: self.stamp.at,
            entries,
            undoes: None,
            undone_by: None,
        };
        self.tables.journal.push(row);
    }
}

impl Tables {
    fn take_in_entry(
        &mut self,
        entry: &MemoryEntry,
        versions: Vec<MemoryEntry>,
        fields: &Fields,
    ) -> Result<(), StoreError> {
        if self.entries.contains_key(&entry.id) {
            return Err(StoreError::AlreadyExists("memory"));
        }
        self.belongs_here(entry.place)?;
        if let Some(what) = self.twin(entry, &BTreeMap::new()) {
            return Err(StoreError::AlreadyExists(what));
        }
        for (order, (model, numbers)) in vectors_of(fields)?.into_iter().enumerate() {
            self.vectors.insert((entry.id, model), (order as u64, numbers));
        }
        if let Some(foreign) = fields.get("foreign_fields").and_then(Value::as_object) {
            self.foreign.insert(entry.id, foreign.clone());
        }
        if !versions.is_empty() {
            self.replaced.insert(entry.id, versions);
        }
        self.entries.insert(entry.id, entry.clone());
        Ok(())
    }
}

#[async_trait::async_trait]
impl TransferWriter for Writer {
    async fn get(&mut self, section: Section, id: &[&str]) -> Result<Option<Fields>, StoreError> {
        let channel = self.channel(id[0]);
        let id: Vec<&str> = if section == Section::Channels { vec![&channel] } else { id.to_vec() };
        let found = self.tables.transfer_rows(section, Within::All, false);
        let is = |row: &TransferRow| match section {
            Section::Scratchpads => row.key == id,
            Section::Channels => row.key.last().is_some_and(|key| key == id[0]),
            _ => rows::text(&row.fields, "id") == id[0],
        };
        let found = found.into_iter().find(is).map(|row| row.fields);
        let of = (Some(section), id[0].to_owned(), String::new());
        let unknown = self.tables.beside.get(&of).filter(|_| section == Section::Channels).cloned();
        Ok(found.map(|mut fields| {
            fields.extend(unknown.map(|unknown| (BESIDE.to_owned(), unknown)));
            fields
        }))
    }

    async fn entry(&mut self, fields: &Fields) -> Result<Option<MemoryEntry>, StoreError> {
        if let Some(entry) =
            rows::word(fields, "id").ok().and_then(|id: MemoryId| self.tables.entries.get(&id))
        {
            return Ok(Some(entry.clone()));
        }
        let Some(external) = fields.get("external_id").and_then(Value::as_str) else { return Ok(None) };
        let channel = fields.get("channel_id").and_then(Value::as_str).map(|id| self.channel(id));
        let there = |entry: &&MemoryEntry| {
            entry.origin.as_ref().and_then(|origin| origin.external_id.as_deref()) == Some(external)
                && entry.scope().as_str() == rows::text(fields, "scope")
                && entry.place.channel().map(|id| id.to_string()) == channel
                && entry.place.conversation() == rows::maybe(fields, "conversation_id").ok().flatten()
        };
        Ok(self.tables.entries.values().find(there).cloned())
    }

    async fn named(&mut self, scope: &str, folded: &str) -> Result<Option<MemoryEntry>, StoreError> {
        let goes_by = |entry: &&MemoryEntry| {
            entry.is_active()
                && entry.scope().as_str() == scope
                && names_of(entry).map(key).any(|name| name == folded)
        };
        Ok(self.tables.entries.values().find(goes_by).cloned())
    }

    async fn channel_named(&mut self, folded: &str) -> Result<Option<String>, StoreError> {
        let found = self.tables.channels.values().find(|channel| fold(channel.name.as_str()) == folded);
        Ok(found.map(|channel| channel.id.to_string()))
    }

    fn map_channel(&mut self, from: &str, to: &str) {
        self.channels.insert(from.to_owned(), to.to_owned());
    }

    async fn add(&mut self, section: Section, fields: &Fields) -> Result<(), StoreError> {
        self.add_row(section, fields)
    }

    async fn update(&mut self, after: &MemoryEntry) -> Result<(), StoreError> {
        let before = self.tables.entries.get(&after.id).ok_or(StoreError::NotFound("memory"))?;
        if before.version + 1 != after.version {
            return Err(StoreError::Stale { id: after.id });
        }
        if let Some(what) = self.tables.twin(after, &BTreeMap::new()) {
            return Err(StoreError::AlreadyExists(what));
        }
        self.tables.write(after.clone());
        self.entries += 1;
        Ok(())
    }

    async fn keep_foreign(&mut self, id: MemoryId, formats: &Fields) -> Result<(), StoreError> {
        if !self.tables.entries.contains_key(&id) {
            return Err(StoreError::NotFound("memory"));
        }
        let kept = self.tables.foreign.entry(id).or_default();
        kept.extend(formats.clone());
        Ok(())
    }

    async fn member(&mut self, name: &str) -> Result<Option<Value>, StoreError> {
        Ok(self.tables.beside.get(&(None, name.to_owned(), String::new())).cloned())
    }

    async fn put_member(&mut self, name: &str, value: &Value) -> Result<(), StoreError> {
        self.tables.beside.insert((None, name.to_owned(), String::new()), value.clone());
        Ok(())
    }

    async fn prepare(&mut self, ids: &dyn IdGenerator) -> Result<(), StoreError> {
        if self.entries > 0 {
            self.journal(self.stamp.change, self.entries);
        }
        for _ in 1..self.levels {
            self.journal(ids.change_id(), 0);
        }
        self.tables.announce(Topic::Memories);
        if let Some(follows) = self.stamp.follows {
            let after = Box::new(Tables { prepared: None, ..self.tables.clone() });
            self.database.tables().prepared = Some(Prepared { run: self.stamp.run, follows, after });
        }
        Ok(())
    }

    async fn commit(self: Box<Self>, run: Option<&Run>) -> Result<(), StoreError> {
        let Self { database, mut tables, .. } = *self;
        tables.prepared = None;
        if let Some(run) = run {
            tables.keeping.runs.insert(run.id, run.clone());
            tables.announce(Topic::Runs);
        }
        *database.tables() = tables;
        Ok(())
    }
}

#[async_trait::async_trait]
impl TransferStore for InMemoryDatabase {
    async fn snapshot(&self, now: DateTime<Utc>) -> Result<Box<dyn TransferSnapshot>, StoreError> {
        let mut tables = self.tables().clone();
        tables.notes.retain(|_, note| note.is_alive(now));
        Ok(Box::new(Snapshot(tables)))
    }

    async fn begin_transfer(&self, stamp: ImportStamp) -> Result<Box<dyn TransferWriter>, StoreError> {
        let tables = self.tables().clone();
        let (channels, database) = (BTreeMap::new(), self.clone());
        Ok(Box::new(Writer { database, tables, stamp, channels, entries: 0, levels: 0 }))
    }
}
