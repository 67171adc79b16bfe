//! What an export of an [`super::memory_store::InMemoryDatabase`] reads: a copy of all of it.

use inklings_domain::{
    change_set::{Action, JournalRow},
    embedding::ModelId,
    ids::{ChannelId, ConversationId, MemoryId, RunId, WorkspaceId},
    memory::{MemoryEntry, MemoryKind},
};
use serde_json::{Value, json};

use super::{
    memory_store::Tables,
    transfer_rows as rows,
    transfer_store::{Prepared, row_id, table},
};
use crate::{
    ports::{
        error::StoreError,
        transfer_store::{Fields, TransferRow, TransferSnapshot, Within},
    },
    transfer::{
        shape::{DEFAULT_CHANNEL, OWN, Section, part_of},
        vector,
    },
};

fn put_back(fields: &mut Fields, unknown: &Value) {
    for (name, value) in unknown.as_object().into_iter().flatten() {
        fields.entry(name.clone()).or_insert_with(|| value.clone());
    }
}

fn vector_item(model: &ModelId, numbers: &[f32], version: Option<u64>) -> Value {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut item =
        json!({ "model": model.to_string(), "dimension": numbers.len(), "vector": vector::encode(&bytes) });
    if let Some(version) = version {
        item["version"] = version.into();
    }
    item
}

impl Tables {
    pub(super) fn general(&self) -> Option<ChannelId> {
        self.channels.values().find(|channel| channel.is_default).map(|channel| channel.id)
    }

    /// Every row of a section with its key, in order.
    pub(super) fn transfer_rows(
        &self,
        section: Section,
        within: Within,
        embeddings: bool,
    ) -> Vec<TransferRow> {
        let general = self.general();
        let out =
            |id: ChannelId| if Some(id) == general { DEFAULT_CHANNEL.to_owned() } else { id.to_string() };
        let names = rows::Names { out: &out, of: &|_| Err(StoreError::NotFound("channel")) };
        let talk = |id: &ConversationId| match within {
            Within::All => true,
            Within::Channel(only) => self.conversations.get(id).is_some_and(|c| c.channel_id == only),
            Within::Conversation(only) => *id == only,
        };
        let mut found: Vec<(Vec<String>, Fields)> = match section {
            Section::Channels => {
                let inside = |id: ChannelId| match within {
                    Within::All => true,
                    Within::Channel(only) => id == only,
                    Within::Conversation(only) => {
                        self.conversations.get(&only).is_some_and(|c| c.channel_id == id)
                    }
                };
                let mut channels: Vec<_> = self.channels.values().filter(|c| inside(c.id)).collect();
                channels.sort_by_key(|channel| (!channel.is_default, channel.id));
                let key = |default: bool, id: ChannelId| vec![u8::from(!default).to_string(), id.to_string()];
                channels.iter().map(|c| (key(c.is_default, c.id), rows::channel_row(c, &names))).collect()
            }
            Section::Conversations => {
                let told = |id: &ConversationId| {
                    let external = self.imported.iter().find(|(_, of)| *of == id).map(|(name, _)| &**name);
                    let last = self.transcript.last_positions.get(id).copied().unwrap_or_default();
                    rows::conversation_row(&self.conversations[id], last, external, &names)
                };
                let ids = self.conversations.keys().filter(|id| talk(id) && !self.deleted.contains(id));
                ids.map(|id| (vec![id.to_string()], told(id))).collect()
            }
            Section::Memories | Section::NamedEntries => {
                let here = |e: &&MemoryEntry| self.is_carried(e, section) && self.is_within(e, within);
                let entries = self.entries.values().filter(here);
                entries.map(|e| (vec![e.id.to_string()], self.entry_row(e, &names, embeddings))).collect()
            }
            Section::Messages => {
                let mut messages: Vec<_> =
                    self.transcript.messages.iter().filter(|m| talk(&m.conversation)).collect();
                messages.sort_by_key(|message| (message.conversation, message.position));
                let key = |talk: ConversationId, at: u64| vec![talk.to_string(), at.to_string()];
                let row = |message: &inklings_domain::message::Message| {
                    let mut row = rows::message_row(message);
                    let mut vectors = self.transcript.vectors.iter();
                    let own = vectors.by_ref().filter(|((id, _), _)| *id == message.id());
                    let list: Vec<Value> = own.map(|((_, model), v)| vector_item(model, v, None)).collect();
                    if embeddings && !list.is_empty() {
                        row.insert("embeddings".into(), list.into());
                    }
                    row
                };
                messages.iter().map(|m| (key(m.conversation, m.position), row(m))).collect()
            }
            Section::Episodes => {
                let mut episodes: Vec<_> =
                    self.transcript.episodes.iter().filter(|e| talk(&e.conversation)).collect();
                episodes.sort_by_key(|episode| episode.id);
                episodes.iter().map(|e| (vec![e.id.to_string()], rows::episode_row(e))).collect()
            }
            Section::Facts if within == Within::All => {
                let mut facts: Vec<_> = self.facts.facts.values().collect();
                facts.sort_by_key(|(fact, _)| fact.id);
                let row = |(fact, earlier): &(_, Vec<_>)| {
                    let fact: &inklings_domain::fact::Fact = fact;
                    let mut claims: Vec<_> =
                        self.facts.claims.iter().filter(|(claim, _)| claim.fact == fact.id).collect();
                    claims.sort_by_key(|(claim, _)| (claim.at, claim.id));
                    (vec![fact.id.to_string()], rows::fact_row(fact, earlier, &claims))
                };
                facts.into_iter().map(row).collect()
            }
            Section::Scratchpads => {
                let notes = self.notes.iter().filter(|((id, _), _)| talk(id));
                notes.map(|((id, key), n)| (vec![id.to_string(), key.clone()], rows::note_row(n))).collect()
            }
            Section::Journal if within == Within::All => {
                let key = |row: &JournalRow| vec![row.sequence.to_string()];
                self.journal.iter().map(|row| (key(row), rows::journal_row(row))).collect()
            }
            Section::Facts | Section::Journal => Vec::new(),
        };
        for (key, fields) in &mut found {
            self.hang_beside(section, key, fields);
        }
        found.into_iter().map(|(key, fields)| TransferRow { key, fields }).collect()
    }

    fn hang_beside(&self, section: Section, key: &[String], fields: &mut Fields) {
        let of = row_id(section, fields, key.last().map_or("", |id| id));
        for ((kind, id, part), unknown) in &self.beside {
            if *kind != Some(table(section)) || *id != of {
                continue;
            }
            match part.split_once('/') {
                None => put_back(fields, unknown),
                Some((list, _)) => {
                    let items = fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
                    let mut items = items.filter_map(Value::as_object_mut);
                    if let Some(item) = items.find(|item| part_of(list, item) == *part) {
                        put_back(item, unknown);
                    }
                }
            }
        }
    }

    /// False for what everybody begins with and nobody wrote into.
    fn is_carried(&self, entry: &MemoryEntry, section: Section) -> bool {
        let named = entry.name.is_some() && entry.kind == MemoryKind::Note;
        let earlier = self.replaced.get(&entry.id).map_or(&[][..], |versions| versions);
        let first = earlier.first().unwrap_or(entry).change;
        let setup = self.journal.iter().any(|row| row.change == first && row.action == Action::Setup);
        let unwritten = entry.content.is_empty()
            && entry.aliases.is_empty()
            && earlier.iter().all(|version| version.content.is_empty());
        named == (section == Section::NamedEntries) && !(setup && unwritten)
    }

    fn is_within(&self, entry: &MemoryEntry, within: Within) -> bool {
        let archive_of = |inside: &dyn Fn(ConversationId) -> bool| {
            let mut markers = self.transcript.messages.iter();
            markers.any(|m| {
                inside(m.conversation) && m.body.marker.as_ref().is_some_and(|mark| mark.archive == entry.id)
            })
        };
        let channel_of = |id: ConversationId| self.conversations.get(&id).map(|c| c.channel_id);
        match within {
            Within::All => true,
            Within::Channel(only) => {
                entry.place.channel() == Some(only) || archive_of(&|id| channel_of(id) == Some(only))
            }
            Within::Conversation(only) => {
                entry.place.conversation() == Some(only) || archive_of(&|id| id == only)
            }
        }
    }

    fn entry_row(&self, entry: &MemoryEntry, names: &rows::Names<'_>, embeddings: bool) -> Fields {
        let mut row = rows::entry_row(entry, names);
        let earlier = self.replaced.get(&entry.id).into_iter().flatten();
        let history: Vec<Value> = earlier.map(|v| Value::Object(rows::version_row(v, names))).collect();
        if !history.is_empty() {
            row.insert("history".into(), history.into());
        }
        let mut vectors: Vec<_> = self.vectors.iter().filter(|((id, _), _)| *id == entry.id).collect();
        vectors.sort_by_key(|(_, (order, _))| *order);
        if embeddings && !vectors.is_empty() {
            let item = |((_, model), (_, v)): (&(MemoryId, ModelId), &(u64, Vec<f32>))| {
                vector_item(model, v, Some(entry.version))
            };
            row.insert("embeddings".into(), vectors.into_iter().map(item).collect::<Vec<_>>().into());
        }
        let mut foreign = self.foreign.get(&entry.id).cloned().unwrap_or_default();
        if let Some(own) = foreign.remove(OWN) {
            put_back(&mut row, &own);
        }
        if !foreign.is_empty() {
            row.insert("foreign_fields".into(), foreign.into());
        }
        row
    }

    /// Forgets what stood beside rows that are gone.
    pub(super) fn prune_beside(&mut self) {
        let mut there: Vec<(Section, String)> = Vec::new();
        for section in Section::ALL {
            for row in self.transfer_rows(section, Within::All, false) {
                let id = row_id(section, &row.fields, row.key.last().map_or("", |id| id));
                there.push((table(section), id));
            }
        }
        self.beside.retain(|(section, id, _), _| section.is_none_or(|of| there.contains(&(of, id.clone()))));
    }

    /// Makes what an import prepared true if its run stands in `decides`, and forgets it if not.
    pub(super) fn settle(&mut self, decides: impl FnOnce(WorkspaceId, RunId) -> bool) {
        if let Some(Prepared { run, follows, after }) = self.prepared.take()
            && decides(follows, run)
        {
            *self = *after;
        }
    }
}

/// A state of the database, whatever is written meanwhile.
pub(super) struct Snapshot(pub Tables);

#[async_trait::async_trait]
impl TransferSnapshot for Snapshot {
    async fn count(&mut self, section: Section, within: Within) -> Result<u64, StoreError> {
        Ok(self.0.transfer_rows(section, within, false).len() as u64)
    }

    async fn page(
        &mut self,
        section: Section,
        within: Within,
        after: Option<&[String]>,
        limit: usize,
        embeddings: bool,
    ) -> Result<Vec<TransferRow>, StoreError> {
        let mut rows = self.0.transfer_rows(section, within, embeddings);
        let behind = after.and_then(|key| rows.iter().position(|row| row.key == key)).map_or(0, |at| at + 1);
        rows.drain(..behind);
        rows.truncate(limit);
        Ok(rows)
    }

    async fn members(&mut self) -> Result<Fields, StoreError> {
        let of_file = self.0.beside.iter().filter(|((section, ..), _)| section.is_none());
        Ok(of_file.map(|((_, name, _), value)| (name.clone(), value.clone())).collect())
    }
}
