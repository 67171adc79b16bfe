//! Scrubs of an [`InMemoryDatabase`].

use std::collections::BTreeSet;

use inklings_domain::{
    audit::AuditEntry,
    client_write::{ClientWrite, Wrote},
    ids::{ConversationId, MemoryId},
    memory::{MemoryEntry, MemoryKind},
    provenance::Curator,
    scope::MemoryScope,
    scrub::{Manifest, RowHash, SAMPLE, ScrubMode, ScrubRows, ScrubTarget, fingerprint_forms},
};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    error::StoreError,
    scrub_store::{Proof, ScrubOrder, ScrubStore, Scrubbed, TierFigures},
    settings::Topic,
};

type Row = (ScrubRows, String, u64);

fn is_named(entry: &MemoryEntry) -> bool {
    entry.name.is_some() && entry.kind == MemoryKind::Note
}

fn aims_at(target: &ScrubTarget, entry: &MemoryEntry) -> bool {
    match target {
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

/// True for a write of a working note of a conversation: it may hold the note that it replaced.
fn is_note_of(write: &ClientWrite, room: ConversationId) -> bool {
    matches!(write.wrote, Wrote::Note { conversation, .. } if conversation == room)
}

impl Tables {
    fn doomed(&self, target: &ScrubTarget, mode: ScrubMode) -> Vec<MemoryId> {
        let stays = |e: &MemoryEntry| {
            mode == ScrubMode::KeepNamed && is_named(e) && !matches!(target, ScrubTarget::Purge(_))
        };
        let doomed = self.entries.values().filter(|e| aims_at(target, e) && !stays(e));
        doomed.map(|e| e.id).collect()
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
        let about =
            |subjects: &[inklings_domain::proposal::Subject]| subjects.iter().any(|s| doomed.contains(&s.id));
        let proposals = self.proposals.values().filter(|p| about(&p.subjects));
        rows.extend(proposals.map(|p| (ScrubRows::Proposals, p.id.to_string(), 0)));
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

    fn manifest(&self, target: &ScrubTarget, mode: ScrubMode) -> Result<Manifest, StoreError> {
        let there = match target {
            ScrubTarget::Account => self.workspace.is_none(),
            ScrubTarget::Workspace => self.workspace.is_some(),
            ScrubTarget::Conversation(id) | ScrubTarget::Purge(id) => self.conversations.contains_key(id),
            ScrubTarget::Channel(id) => self.channels.contains_key(id),
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
        let keeps = self.entries.values().filter(|e| {
            mode == ScrubMode::KeepNamed
                && !matches!(target, ScrubTarget::Purge(_))
                && aims_at(target, e)
                && is_named(e)
        });
        Ok(Manifest {
            target: *target,
            mode,
            counts: ScrubRows::ALL.iter().map(|kind| (*kind, count(kind))).filter(|(_, n)| *n > 0).collect(),
            keeps: keeps.count() as u64,
            sample: rows.iter().take(SAMPLE).map(|(_, id, _)| id.clone()).collect(),
            hash: hash.finish(),
        })
    }

    fn destroy(&mut self, target: &ScrubTarget, mode: ScrubMode) {
        let doomed: BTreeSet<MemoryId> = self.doomed(target, mode).into_iter().collect();
        let mut forms: Vec<String> = Vec::new();
        for id in &doomed {
            let texts = self.replaced.remove(id).unwrap_or_default();
            for entry in texts.iter().chain(self.entries.remove(id).as_ref()) {
                forms.extend(fingerprint_forms(&entry.content));
            }
        }
        self.proposals.retain(|_, p| !p.subjects.iter().any(|s| doomed.contains(&s.id)));
        self.vectors.retain(|(id, _), _| !doomed.contains(id));
        self.failed.retain(|(id, _)| !doomed.contains(id));
        if let ScrubTarget::Conversation(room) | ScrubTarget::Purge(room) = *target {
            self.notes.retain(|(conversation, _), _| *conversation != room);
            self.client_writes.retain(|(write, _)| !is_note_of(write, room));
            self.forget_shown(|orientation| orientation.conversation == Some(room));
        }
        if let ScrubTarget::Purge(room) = *target {
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
