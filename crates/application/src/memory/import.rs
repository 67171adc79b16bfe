//! Imports many entries in one transaction. Existing entries are updated; no duplicates are created.

use std::collections::{HashMap, HashSet};

use inklings_domain::{
    derivation::Derivation,
    forget_reason::ForgetReason,
    ids::ChangeId,
    memory::{
        Importance, InvalidMemory, MemoryDraft, MemoryEntry, MemoryPatch, Origin, Stamp,
        change_set::{Action, MemoryWrite},
    },
    provenance::{Actor, ActorKind, Curator},
    recall_test::Cause,
    scope::{MemoryLifetime, MemoryScope, Place},
    text::{self, TextError},
};
use inklings_ports::transfer::shape::OWN;

use super::agent_texts::AgentTexts;
use crate::{error::AppError, services::MemoryImports};

/// Maximum importance of an entry without a pick: the default importance, or 1 for a named entry.
pub fn ordinary_importance(named: bool) -> f64 {
    if named { 1.0 } else { Importance::DEFAULT.get() }
}

/// True if an existing entry came from an import of this format and was not changed since, so the next file
/// may update it. An equal id in another program's file is not enough.
pub(crate) fn is_of_this_import(current: &MemoryEntry, format: &str) -> bool {
    let known_elsewhere = current.origin.as_ref().is_some_and(|origin| origin.external_id.is_some());
    let of_this = if format == OWN { !known_elsewhere } else { current.source == format };
    let taken_back = current.is_forgotten_for(&ForgetReason::CreationUndone);
    match current.curator {
        Curator::Author => false,
        Curator::Agent => of_this && current.written_by == ActorKind::Import,
        // Importing again what was undone means that it is wanted.
        Curator::Import => of_this && (current.written_by == ActorKind::Import || taken_back),
    }
}

/// One entry to import.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportItem {
    /// Line number in the file, starting at 1, for messages.
    pub line: usize,
    /// Title, if the file gives one.
    pub title: Option<String>,
    /// Other words under which it is searched.
    pub keys: Vec<String>,
    /// Text of the entry.
    pub content: String,
    /// Origin of the entry. Its external id decides whether the entry is new.
    pub origin: Origin,
    /// Tags, not yet normalised.
    pub tags: Vec<String>,
    /// Importance, if the file gives one.
    pub importance: Option<f64>,
}

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOutcome {
    /// The change, for undo; `None` if nothing was written.
    pub change: Option<ChangeId>,
    /// New entries.
    pub added: usize,
    /// Entries whose content changed.
    pub updated: usize,
    /// Existing entries without changes.
    pub unchanged: usize,
    /// Lines left out because they would change an existing entry or write to the account, and were not
    /// picked.
    pub left_out: usize,
}

/// Options for importing a file of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines<'s> {
    /// Source recorded for its entries.
    pub source: &'s str,
    /// The file that they are made of.
    pub file: Option<Derivation>,
    /// True if a person picked all lines that require it.
    pub pick_all: bool,
}

/// A validated import for a channel or conversation that does not exist yet.
#[derive(Debug)]
pub struct NewChannelImport {
    stamp: Stamp,
    outcome: ImportOutcome,
    writes: Vec<MemoryWrite>,
}

/// External ids per lookup.
const LOOKUP: usize = 2_000;

impl MemoryImports<'_> {
    /// Imports items into one place in one transaction, as one undoable change. Lines that would change an
    /// entry written or changed here, or write to the account, are left out unless a person picked them.
    ///
    /// # Errors
    /// [`AppError::ImportLine`] with the first line that is invalid or repeats an id; nothing is written
    /// then.
    pub async fn import(
        &self,
        place: Place,
        lines: Lines<'_>,
        items: Vec<ImportItem>,
        actor: Actor,
    ) -> Result<ImportOutcome, AppError> {
        let (known, texts) = (
            self.existing_by_external_id(place, &items).await?,
            self.session.memories().texts_of_agents().await?,
        );
        let stamp = self.session.stamp(actor);
        let (outcome, writes) = self.plan_import(place, &lines, items, (&known, &texts), stamp)?;
        self.commit_import(stamp, outcome, writes).await
    }

    /// Plans an import into a channel or conversation that does not exist yet, so that a refused file leaves
    /// no empty one behind.
    pub async fn plan_into_new_channel(
        &self,
        lines: Lines<'_>,
        items: Vec<ImportItem>,
        actor: Actor,
    ) -> Result<NewChannelImport, AppError> {
        let (known, texts) = (HashMap::new(), self.session.memories().texts_of_agents().await?);
        let stamp = self.session.stamp(actor);
        let (outcome, writes) = self.plan_import(Place::Workspace, &lines, items, (&known, &texts), stamp)?;
        Ok(NewChannelImport { stamp, outcome, writes })
    }

    /// Carries out a planned import in one transaction, as one undoable change. Its channel or conversation
    /// must exist by now.
    ///
    /// # Errors
    /// [`AppError::Store`], also if someone else created and filled the channel or conversation meanwhile and
    /// it contains an id of the file. Nothing is written then.
    pub async fn import_into_new_channel(
        &self,
        place: Place,
        planned: NewChannelImport,
    ) -> Result<ImportOutcome, AppError> {
        let NewChannelImport { stamp, outcome, mut writes } = planned;
        for write in &mut writes {
            if let MemoryWrite::Insert(entry) = write {
                (entry.place, entry.lifetime) = (place, lifetime_in(place));
            }
        }
        self.commit_import(stamp, outcome, writes).await
    }

    async fn commit_import(
        &self,
        stamp: Stamp,
        mut outcome: ImportOutcome,
        writes: Vec<MemoryWrite>,
    ) -> Result<ImportOutcome, AppError> {
        if !writes.is_empty() {
            outcome.change =
                Some(self.session.memories().commit(stamp, Action::Import, None, writes).await?.change);
            self.session.recall_tests().run_after(Cause::Import(None)).await;
        }
        Ok(outcome)
    }

    fn plan_import(
        &self,
        place: Place,
        lines: &Lines<'_>,
        items: Vec<ImportItem>,
        (known, texts): (&HashMap<String, MemoryEntry>, &AgentTexts),
        stamp: Stamp,
    ) -> Result<(ImportOutcome, Vec<MemoryWrite>), AppError> {
        let mut outcome = ImportOutcome::default();
        let mut seen = HashSet::new();
        let mut writes = Vec::with_capacity(items.len());
        for item in items {
            let line = item.line;
            let refuse = |message: String| AppError::ImportLine { line, message };
            if let Some(id) = &item.origin.external_id
                && !seen.insert(id.clone())
            {
                return Err(refuse("this id occurs twice in the file".into()));
            }
            let existing = item.origin.external_id.as_ref().and_then(|id| known.get(id));
            let origin = checked_origin(&item.origin).map_err(|error| refuse(error.to_string()))?;
            if let Some(importance) = item.importance {
                Importance::new(importance).map_err(|error| refuse(error.to_string()))?;
            }
            // A file may not raise the importance of its own lines.
            let ceiling =
                existing.map_or(0.0, |entry| entry.importance.get()).max(ordinary_importance(false));
            let importance =
                item.importance.map(|given| if lines.pick_all { given } else { given.min(ceiling) });
            if let Some(entry) = existing {
                let patch = MemoryPatch {
                    content: Some(item.content),
                    title: item.title,
                    keys: (!item.keys.is_empty()).then_some(item.keys),
                    importance,
                    tags: (!item.tags.is_empty()).then_some(item.tags),
                    ..MemoryPatch::default()
                };
                let free = place.scope() != MemoryScope::Account && is_of_this_import(entry, lines.source);
                let made_of: Vec<Derivation> = lines.file.iter().cloned().collect();
                match brought_up_to_date(entry, patch, made_of, stamp) {
                    Ok(_) if !free && !lines.pick_all => outcome.left_out += 1,
                    Ok(next) => {
                        writes.push(MemoryWrite::Update(next));
                        outcome.updated += 1;
                    }
                    // An entry that was forgotten on purpose stays forgotten.
                    Err(InvalidMemory::NoChange | InvalidMemory::Forgotten) => outcome.unchanged += 1,
                    Err(error) => return Err(refuse(error.to_string())),
                }
                continue;
            }
            let draft = MemoryDraft {
                place,
                lifetime: lifetime_in(place),
                source: lines.source.to_owned(),
                title: item.title,
                keys: item.keys,
                content: item.content,
                importance: importance.unwrap_or(ordinary_importance(false)),
                tags: item.tags,
                origin: Some(origin),
                derivations: lines.file.iter().cloned().collect(),
            };
            let entry = MemoryEntry::create(self.session.ids.memory_id(), draft, stamp)
                .map_err(|error| refuse(error.to_string()))?;
            if place.scope() == MemoryScope::Account && !lines.pick_all {
                outcome.left_out += 1;
                continue;
            }
            writes.push(MemoryWrite::Insert(texts.with_sources(entry)));
            outcome.added += 1;
        }
        Ok((outcome, writes))
    }

    async fn existing_by_external_id(
        &self,
        place: Place,
        items: &[ImportItem],
    ) -> Result<HashMap<String, MemoryEntry>, AppError> {
        let ids: Vec<String> = items.iter().filter_map(|item| item.origin.external_id.clone()).collect();
        let store = &self.session.ports(place.scope()).store;
        let mut known = HashMap::new();
        for chunk in ids.chunks(LOOKUP) {
            for entry in store.by_external_ids(place, chunk).await? {
                if let Some(id) = entry.origin.as_ref().and_then(|origin| origin.external_id.clone()) {
                    known.insert(id, entry);
                }
            }
        }
        Ok(known)
    }
}

/// The existing entry updated from the file. Restores it if it was only forgotten because its import was
/// undone: importing the file again means that it is wanted.
fn brought_up_to_date(
    entry: &MemoryEntry,
    mut patch: MemoryPatch,
    made_of: Vec<Derivation>,
    stamp: Stamp,
) -> Result<MemoryEntry, InvalidMemory> {
    // The same text in another file is no change.
    let has_new_text = patch.content.as_deref().is_some_and(|content| content.trim() != entry.content);
    patch.derivations = has_new_text.then_some(made_of);
    if !entry.is_forgotten_for(&ForgetReason::CreationUndone) {
        return entry.edited(patch, stamp);
    }
    let back = entry.restored(stamp)?;
    match back.edited(patch, stamp) {
        Ok(edited) => Ok(MemoryEntry { version: back.version, ..edited }),
        Err(InvalidMemory::NoChange) => Ok(back),
        Err(error) => Err(error),
    }
}

/// The default lifetime of an entry in a place.
pub const fn lifetime_in(place: Place) -> MemoryLifetime {
    match place.scope() {
        MemoryScope::Conversation => MemoryLifetime::Conversation,
        MemoryScope::Account | MemoryScope::Workspace | MemoryScope::Channel => MemoryLifetime::LongTerm,
    }
}

fn checked_origin(origin: &Origin) -> Result<Origin, TextError> {
    let check = |field, value: &Option<String>| match value {
        // Validate without normalising, because answers return the id exactly as given.
        Some(given) if !given.trim().is_empty() => text::given(field, given, text::MAX_LABEL_CHARS).map(Some),
        _ => Ok(None),
    };
    Ok(Origin {
        external_id: check("id", &origin.external_id)?,
        session: check("session", &origin.session)?,
        speaker: check("speaker", &origin.speaker)?,
        said_at: check("ts", &origin.said_at)?,
        conversation: origin.conversation,
    })
}
