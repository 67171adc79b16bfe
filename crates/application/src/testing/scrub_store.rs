//! Scrubs of an [`InMemoryDatabase`].

use std::collections::BTreeSet;

use inklings_domain::{
    audit::AuditEntry,
    client_write::{ClientWrite, Wrote},
    ids::{ConversationId, FactId, MemoryId, ProposalId},
    memory::{MemoryEntry, MemoryKind},
    proposal::NewEntry,
    provenance::Curator,
    scope::{MemoryScope, Place},
    scrub::{Manifest, Phrases, RowHash, ScrubFile, ScrubMode, ScrubRows, ScrubTarget, fingerprint_forms},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    scrub_store::{Mentions, Proof, ScrubOrder, ScrubStore, Scrubbed, TierFigures},
    settings::Topic,
};

type Row = (ScrubRows, String, u64);

fn is_named(entry: &MemoryEntry) -> bool {
    entry.name.is_some() && entry.kind == MemoryKind::Note
}

/// What the texts of a subject's scrub are searched for; `None` for every other target.
fn subject_of(target: &ScrubTarget) -> Option<Phrases> {
    match target {
        ScrubTarget::Subject(name, _) => Some(Phrases::of_subject(name)),
        _ => None,
    }
}

fn names(phrases: &Phrases, entry: &MemoryEntry) -> bool {
    phrases.are_in(&entry.content)
        || entry.name.as_deref().is_some_and(|name| phrases.are_in(name))
        || entry.aliases.iter().chain(&entry.tags).any(|word| phrases.are_in(word))
}

/// True for a write of a working note of a conversation: it may hold the note that it replaced.
fn is_note_of(write: &ClientWrite, room: ConversationId) -> bool {
    matches!(write.wrote, Wrote::Note { conversation, .. } if conversation == room)
}

impl Tables {
    /// True if an entry, a message or a fact has this id.
    pub(super) fn holds_row(&self, id: &str) -> bool {
        self.entries.keys().any(|known| known.to_string() == id)
            || self.facts.facts.values().any(|(fact, _)| fact.id.to_string() == id)
            || self
                .conversations
                .keys()
                .any(|room| self.transcript.of(*room).any(|message| message.id().to_string() == id))
    }

    fn aims_at(&self, target: &ScrubTarget, entry: &MemoryEntry) -> bool {
        match target {
            ScrubTarget::Entry(id, _) => entry.id == *id,
            ScrubTarget::Subject(name, _) => {
                let phrases = Phrases::of_subject(name);
                let replaced = self.replaced.get(&entry.id).into_iter().flatten();
                replaced.chain([entry]).any(|version| names(&phrases, version))
            }
            ScrubTarget::Conversation(id) => entry.place.conversation() == Some(*id),
            ScrubTarget::Channel(id) => {
                entry.scope() == MemoryScope::Channel && entry.place.channel() == Some(*id)
            }
            ScrubTarget::Workspace => entry.scope() == MemoryScope::Workspace,
            ScrubTarget::Account => entry.scope() == MemoryScope::Account,
            ScrubTarget::Purge(id) => {
                entry.kind == MemoryKind::Archive && entry.place.conversation() == Some(*id)
            }
        }
    }

    fn doomed(&self, target: &ScrubTarget, mode: ScrubMode) -> Vec<MemoryId> {
        let stays = |e: &MemoryEntry| target.keeps_named(mode) && is_named(e);
        let doomed = self.entries.values().filter(|e| self.aims_at(target, e) && !stays(e));
        doomed.map(|e| e.id).collect()
    }

    /// Proposals about doomed entries, and those whose text names a doomed subject.
    fn doomed_proposals(&self, target: &ScrubTarget, doomed: &[MemoryId]) -> BTreeSet<ProposalId> {
        let phrases = subject_of(target);
        let says = |text: Option<&str>| {
            phrases.as_ref().zip(text).is_some_and(|(phrases, text)| phrases.are_in(text))
        };
        let of_tier = |makes: &NewEntry| match target {
            ScrubTarget::Account => makes.place == Place::Account,
            ScrubTarget::Workspace => makes.place == Place::Workspace,
            _ => false,
        };
        let made = |makes: &NewEntry| {
            doomed.contains(&makes.id)
                || of_tier(makes)
                || makes.tags.iter().chain([&makes.source]).any(|text| says(Some(text)))
        };
        let all = self.proposals.values().filter(|p| {
            p.subjects.iter().any(|s| doomed.contains(&s.id))
                || says(p.content.as_deref())
                || p.makes.as_ref().is_some_and(made)
        });
        all.map(|p| p.id).collect()
    }

    /// Facts that a subject's name stands in, now, earlier or in a claim.
    fn doomed_facts(&self, phrases: &Phrases) -> Vec<FactId> {
        let claimed = |fact: FactId| {
            self.facts.claims.iter().any(|(claim, _)| claim.fact == fact && phrases.are_in(&claim.value))
        };
        let doomed = self.facts.facts.values().filter(|(fact, earlier)| {
            let key = format!("{} {}", fact.key.category(), fact.key.key());
            phrases.are_in(&key)
                || phrases.are_in(&fact.value)
                || earlier.iter().any(|value| phrases.are_in(&value.value))
                || claimed(fact.id)
        });
        doomed.map(|(fact, _)| fact.id).collect()
    }

    fn doomed_notes(&self, phrases: &Phrases) -> Vec<(ConversationId, String)> {
        let doomed =
            self.notes.iter().filter(|((_, key), note)| phrases.are_in(key) || phrases.are_in(&note.value));
        doomed.map(|(at, _)| at.clone()).collect()
    }

    fn rows(&self, target: &ScrubTarget, mode: ScrubMode) -> Vec<Row> {
        let doomed = self.doomed(target, mode);
        let mut rows: Vec<Row> = Vec::new();
        for id in &doomed {
            rows.push((ScrubRows::Memories, id.to_string(), self.entries[id].version));
            let replaced = self.replaced.get(id).map_or(&[][..], Vec::as_slice);
            rows.extend(
                replaced.iter().map(|e| (ScrubRows::Versions, format!("{id}@{}", e.version), e.version)),
            );
        }
        let proposals = self.doomed_proposals(target, &doomed);
        rows.extend(proposals.iter().map(|id| (ScrubRows::Proposals, id.to_string(), 0)));
        if let Some(phrases) = subject_of(target) {
            let facts = self.doomed_facts(&phrases);
            rows.extend(facts.iter().map(|id| (ScrubRows::Facts, id.to_string(), 0)));
            let notes = self.doomed_notes(&phrases);
            rows.extend(
                notes.iter().map(|(room, key)| (ScrubRows::WorkingNotes, format!("{room} {key}"), 0)),
            );
        }
        let room: Option<ConversationId> = match target {
            ScrubTarget::Conversation(id) | ScrubTarget::Purge(id) => Some(*id),
            _ => None,
        };
        if let Some(room) = room {
            let notes = self.notes.keys().filter(|(conversation, _)| *conversation == room);
            rows.extend(notes.map(|(_, key)| (ScrubRows::WorkingNotes, key.clone(), 0)));
            let replaced = self.client_writes.iter().filter(|(write, _)| is_note_of(write, room));
            rows.extend(replaced.map(|(w, _)| (ScrubRows::WorkingNotes, format!("@{}", w.sequence), 0)));
            let shown = self.ledger.values().filter(|o| o.conversation == Some(room));
            rows.extend(shown.map(|o| (ScrubRows::Orientations, o.id.to_string(), 0)));
        }
        if let ScrubTarget::Purge(room) = target {
            let said = self.transcript.of(*room);
            rows.extend(said.map(|m| (ScrubRows::Messages, m.id().to_string(), m.body.content.len() as u64)));
        }
        rows
    }

    fn is_of(&self, file: ScrubFile) -> bool {
        self.workspace.is_none() == (file == ScrubFile::Account)
    }

    fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError> {
        let there = match target {
            ScrubTarget::Account => self.workspace.is_none(),
            ScrubTarget::Workspace => self.workspace.is_some(),
            ScrubTarget::Conversation(id) | ScrubTarget::Purge(id) => self.conversations.contains_key(id),
            ScrubTarget::Channel(id) => self.channels.contains_key(id),
            ScrubTarget::Entry(id, file) => self.is_of(*file) && self.entries.contains_key(id),
            ScrubTarget::Subject(_, file) => self.is_of(*file),
        };
        if !there {
            return Err(StoreError::NotFound("room"));
        }
        let rows = self.rows(target, mode);
        let mut hash = RowHash::new(target, mode);
        for (kind, id, version) in &rows {
            hash.row(*kind, id, *version);
        }
        let count = |kind: &ScrubRows| rows.iter().filter(|(of, ..)| of == kind).count() as u64;
        let keeps = self
            .entries
            .values()
            .filter(|e| target.keeps_named(mode) && self.aims_at(target, e) && is_named(e));
        let by_id = [ScrubRows::Memories, ScrubRows::Messages, ScrubRows::Facts];
        Ok(Manifest {
            target: target.clone(),
            mode,
            counts: ScrubRows::ALL.iter().map(|kind| (*kind, count(kind))).filter(|(_, n)| *n > 0).collect(),
            keeps: keeps.count() as u64,
            ids: rows.iter().filter(|(kind, ..)| by_id.contains(kind)).map(|(_, id, _)| id.clone()).collect(),
            hash: hash.finish(),
        })
    }

    fn destroy(&mut self, target: &ScrubTarget, mode: ScrubMode) {
        let doomed = self.doomed(target, mode);
        let proposals = self.doomed_proposals(target, &doomed);
        let doomed: BTreeSet<MemoryId> = doomed.into_iter().collect();
        let mut forms: Vec<String> = Vec::new();
        if let Some(phrases) = subject_of(target) {
            for at in self.doomed_notes(&phrases) {
                self.notes.remove(&at);
            }
            let facts = self.doomed_facts(&phrases);
            self.facts.facts.retain(|_, (fact, _)| !facts.contains(&fact.id));
            self.facts.claims.retain(|(claim, _)| !facts.contains(&claim.fact));
        }
        for id in &doomed {
            let texts = self.replaced.remove(id).unwrap_or_default();
            for entry in texts.iter().chain(self.entries.remove(id).as_ref()) {
                forms.extend(fingerprint_forms(&entry.content));
            }
        }
        let unmade = self.proposals.values().filter(|p| p.makes.is_some() && proposals.contains(&p.id));
        forms.extend(unmade.filter_map(|p| p.content.as_deref()).flat_map(fingerprint_forms));
        self.proposals.retain(|id, _| !proposals.contains(id));
        self.vectors.retain(|(id, _), _| !doomed.contains(id));
        self.failed.retain(|(id, _)| !doomed.contains(id));
        if let ScrubTarget::Conversation(room) | ScrubTarget::Purge(room) = target {
            let room = *room;
            self.notes.retain(|(conversation, _), _| *conversation != room);
            self.client_writes.retain(|(write, _)| !is_note_of(write, room));
            self.forget_shown(|orientation| orientation.conversation == Some(room));
        }
        self.forget_reads(|read| match target {
            ScrubTarget::Conversation(room) | ScrubTarget::Purge(room) => {
                read.showing.conversation == Some(*room)
            }
            ScrubTarget::Channel(room) => {
                read.showing.channel == Some(*room) && read.showing.conversation.is_none()
            }
            ScrubTarget::Workspace => read.showing.channel.is_none() && read.showing.conversation.is_none(),
            ScrubTarget::Account | ScrubTarget::Entry(..) | ScrubTarget::Subject(..) => false,
        });
        if let ScrubTarget::Purge(room) = target {
            let room = *room;
            forms.extend(self.transcript.of(room).flat_map(|m| fingerprint_forms(&m.body.content)));
            self.transcript.forget(room);
            self.facts.forget(room);
            self.forget_writes_in(room);
            self.keeping.forget(room);
            self.deleted.insert(room);
        }
        self.scrubbed.extend(forms);
        self.announce(Topic::Memories);
    }
}

#[async_trait::async_trait]
impl ScrubStore for InMemoryDatabase {
    async fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError> {
        self.tables().manifest(target, mode)
    }

    async fn scrub(&self, order: &ScrubOrder) -> Result<Scrubbed, StoreError> {
        let mut tables = self.tables();
        let manifest = tables.manifest(&order.target, order.mode)?;
        if manifest.hash != order.hash {
            return Err(StoreError::Moved("memory to scrub"));
        }
        tables.destroy(&order.target, order.mode);
        let entry =
            AuditEntry { manifest: format!("{{\"total\":{}}}", manifest.total()), ..order.entry.clone() };
        let audit = tables.put_on_record(&entry);
        let left = tables.rows(&order.target, order.mode).len() as u64;
        Ok(Scrubbed { manifest, audit, proof: Proof { checked: vec!["rows".into()], residues: left } })
    }

    async fn mentions(
        &self,
        phrases: &Phrases,
        target: &ScrubTarget,
        mode: ScrubMode,
    ) -> Result<Mentions, StoreError> {
        let tables = self.tables();
        let mine = tables.is_of(target.file());
        let doomed = if mine { tables.doomed(target, mode) } else { Vec::new() };
        let subject = if mine { subject_of(target) } else { None };
        let facts = tables.doomed_facts(phrases);
        let taken = subject.as_ref().map_or_else(Vec::new, |subject| tables.doomed_facts(subject));
        let notes = tables.doomed_notes(phrases);
        let removed = subject.as_ref().map_or_else(Vec::new, |subject| tables.doomed_notes(subject));
        let others = tables.entries.values().filter(|e| names(phrases, e) && !doomed.contains(&e.id));
        let mut conversations = Vec::new();
        for id in tables.conversations.keys() {
            let said = tables.transcript.of(*id).filter(|m| phrases.are_in(&m.body.content)).count() as u64;
            if said > 0 {
                conversations.push((*id, said));
            }
        }
        Ok(Mentions {
            conversations,
            memories: others.map(|e| e.id).collect(),
            facts: facts.iter().filter(|id| !taken.contains(id)).count() as u64,
            working_notes: notes.iter().filter(|at| !removed.contains(at)).count() as u64,
        })
    }

    async fn was_scrubbed(&self, forms: &[String]) -> Result<bool, StoreError> {
        let tables = self.tables();
        Ok(forms.iter().any(|form| tables.scrubbed.contains(form)))
    }

    async fn tiers(&self) -> Result<Vec<TierFigures>, StoreError> {
        let tables = self.tables();
        let scopes: &[MemoryScope] = if tables.workspace.is_none() {
            &[MemoryScope::Account]
        } else {
            &[MemoryScope::Conversation, MemoryScope::Channel, MemoryScope::Workspace]
        };
        let tier = |scope: &MemoryScope| {
            let all: Vec<&MemoryEntry> =
                tables.entries.values().filter(|e| e.scope() == *scope && !e.content.is_empty()).collect();
            let active: Vec<&MemoryEntry> = all.iter().copied().filter(|e| e.is_active()).collect();
            let by = |curator| active.iter().filter(|e| e.curator == curator).count() as u64;
            TierFigures {
                scope: *scope,
                active: active.len() as u64,
                forgotten: (all.len() - active.len()) as u64,
                by_author: by(Curator::Author),
                by_agent: by(Curator::Agent),
                by_import: by(Curator::Import),
                named: active.iter().filter(|e| is_named(e)).count() as u64,
                oldest: active.iter().map(|e| e.created_at).min(),
                newest: active.iter().map(|e| e.created_at).max(),
                bytes: all.iter().map(|e| e.content.len() as u64).sum(),
                fading: active.iter().map(|e| e.decay_inputs()).filter(|inputs| !inputs.exempt).collect(),
            }
        };
        Ok(scopes.iter().map(tier).collect())
    }
}
