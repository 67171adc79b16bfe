//! Import of entries: new ones, existing ones, and ones whose name is taken.

use std::collections::BTreeSet;

use inklings_domain::{
    forget_reason::ForgetReason,
    memory::{MemoryEntry, Stamp, text_source::TextSource},
    named_entry::key,
    provenance::Curator,
    scope::MemoryScope,
    subject::disclosure::Disclosure,
};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        fields::{text_of, texts_of},
        file::TransferError,
        shape::{DATA_OF_FILE, OF_FILE, OWN, Section},
        store::Fields,
    },
};
use serde_json::Value;

use super::{
    super::{
        decide::{
            Meeting, base_of_copy, disclosure_in, id_of_copy, is_unwritten, meet, meet_by_name, names_in_use,
            stamped,
        },
        picks::Need,
        plan::{Conflicts, Outcome},
        standing::speaks,
    },
    Decided, Pass, Side,
    asking::RowClaims,
    linking::Linkable,
    refusal,
};
use crate::memory::import::is_of_this_import;

const JUST_SO: &str = "it is here already, just so";

/// True if the retained fields of an entry differ at most in what tells of its file.
fn is_same_but_for_file(one: &Fields, other: &Fields) -> bool {
    let of_entry = |fields: &Fields| {
        let mut fields = fields.clone();
        fields.retain(|name, value| !OF_FILE.contains(&name.as_str()) && !value.is_null());
        fields
    };
    of_entry(one) == of_entry(other)
}

/// True for a row without text, aliases and history.
fn holds_nothing(fields: &Fields) -> bool {
    text_of(fields, "content").unwrap_or_default().is_empty()
        && texts_of(fields, "aliases").is_empty()
        && !fields.contains_key("history")
}

impl Pass<'_> {
    pub(super) async fn entry(
        &mut self,
        section: Section,
        mut fields: Fields,
    ) -> Result<Decided, TransferError> {
        self.add_known_sources(&mut fields);
        let side = Side::of(&fields);
        let (conflicts, stamp) = (self.wanted.conflicts, self.stamps[side as usize]);
        let current = self.writer(side).await?.entry(&fields).await?;
        let claims = self.weighed(section, fields, current.as_ref());
        let Some(current) = current else { return self.new_entry(section, side, claims).await };
        self.is_entry(&current);
        match meet(&current, &claims.modest, conflicts, self.format) {
            left @ (Meeting::Leave(_) | Meeting::Same) => {
                if !matches!(meet(&current, claims.whole(), conflicts, self.format), Meeting::Become(_)) {
                    self.claims_nothing();
                }
                match left {
                    Meeting::Leave(reason) => Ok(Decided::skip(reason)),
                    _ => self.same_entry(side, &current, &claims.modest).await,
                }
            }
            Meeting::Beside => {
                // Entries of another program get a new id at each import.
                let own = text_of(&claims.modest, "id")
                    .filter(|id| self.format == OWN && *id != current.id.to_string())
                    .map(str::to_owned);
                let id = own.unwrap_or_else(|| id_of_copy(&current, &claims.modest).to_string());
                if self.has_copy(side, &id).await? {
                    self.claims_nothing();
                    return Ok(Decided::skip(JUST_SO));
                }
                let claims = claims.with_id(&id);
                self.new_entry(section, side, claims).await
            }
            Meeting::Become(after) => {
                let need = self.need_to_change(side, &current, &after, &claims.modest).await?;
                let (fields, mut after) = match need {
                    None => (claims.modest, after),
                    Some(need) if !self.picked_entry(need, Some(&current), Some(&after), claims.whole()) => {
                        return Ok(self.unpicked());
                    }
                    Some(_) => match meet(&current, claims.whole(), conflicts, self.format) {
                        Meeting::Become(after) => (claims.into_whole(), after),
                        _ => (claims.modest, after),
                    },
                };
                self.keep_names(side, &current, &fields, &mut after).await?;
                if after.same_body(&current) {
                    // Only the names of the file differ, and they are in use.
                    self.claims_nothing();
                    return self.same_entry(side, &current, &fields).await;
                }
                let (id, decided) = (current.id, self.made_as(side, *after, stamp).await?);
                // The retained third-party fields belong to the entry's previous state, so replace them by
                // those of this file.
                if let (Outcome::Change, Some(Value::Object(formats))) =
                    (decided.0, fields.get("foreign_fields"))
                {
                    self.writer(side).await?.replace_third_party(id, formats).await?;
                }
                Ok(decided)
            }
        }
    }

    /// Keeps the names of an existing entry if another one goes by those that the file gives it.
    async fn keep_names(
        &mut self,
        side: Side,
        current: &MemoryEntry,
        fields: &Fields,
        after: &mut MemoryEntry,
    ) -> Result<(), StoreError> {
        let scope = after.scope().as_str();
        let mut free = true;
        for name in names_in_use(fields) {
            let owner = self.writer(side).await?.named(scope, &name).await?;
            free &= match owner.filter(|owner| owner.id != current.id) {
                Some(owner) => self.makes_way(side, &owner).await?,
                None => !self.claimed.contains(&(scope.to_owned(), name)),
            };
        }
        if !free {
            (after.name, after.aliases) = (current.name.clone(), current.aliases.clone());
            after.subject.clone_from(&current.subject);
        }
        Ok(())
    }

    /// Decides for an entry that is here just so. What its program keeps with it can differ all the same, such as the place in
    /// the prompt, and the next export would write the old one.
    async fn same_entry(
        &mut self,
        side: Side,
        current: &MemoryEntry,
        fields: &Fields,
    ) -> Result<Decided, TransferError> {
        let format = self.format;
        let formats = fields.get("foreign_fields").and_then(Value::as_object);
        let given = formats.and_then(|formats| formats.get(format)?.as_object());
        let Some(given) = given.filter(|_| format != OWN && is_of_this_import(current, format)) else {
            return Ok(Decided::skip(JUST_SO));
        };
        let stored = self.writer(side).await?.third_party(current.id, format).await?;
        let Some(stored) = stored.filter(|stored| !is_same_but_for_file(stored, given)) else {
            return Ok(Decided::skip(JUST_SO));
        };
        if side == Side::Account && !self.picked_entry(Need::Account, Some(current), None, fields) {
            return Ok(self.unpicked());
        }
        let mut given = given.clone();
        // The data of the whole file stand with a few entries, which may be others now.
        if let Some(file) = stored.get(DATA_OF_FILE) {
            given.entry(DATA_OF_FILE).or_insert_with(|| file.clone());
        }
        let formats = Fields::from_iter([(format.to_owned(), given.into())]);
        self.writer(side).await?.replace_third_party(current.id, &formats).await?;
        self.tally.note_settings();
        Ok(Decided(Outcome::Change, "its settings in the other program".into()))
    }

    /// True if a copy that an earlier import added is here. One that was taken back is wanted again.
    async fn has_copy(&mut self, side: Side, id: &str) -> Result<bool, StoreError> {
        let fields = Fields::from_iter([("id".to_owned(), id.into())]);
        let copy = self.writer(side).await?.entry(&fields).await?;
        Ok(copy.is_some_and(|copy| !copy.is_forgotten_for(&ForgetReason::CreationUndone)))
    }

    /// Why a row may change the existing entry only if its line is picked; `None` if it need not be picked.
    async fn need_to_change(
        &mut self,
        side: Side,
        current: &MemoryEntry,
        after: &MemoryEntry,
        fields: &Fields,
    ) -> Result<Option<Need>, StoreError> {
        Ok(if self.widens(Some(current), &Disclosure::of(after)).await? {
            Some(Need::Knowers)
        } else if side == Side::Account {
            Some(Need::Account)
        } else if speaks(current.scope().as_str(), fields, Some(current)) {
            Some(Need::Voice)
        } else {
            (!is_of_this_import(current, self.format)).then_some(Need::Replaces)
        })
    }

    /// Adds the known sources of an agent's or client's text, so that they survive export and import.
    fn add_known_sources(&self, fields: &mut Fields) {
        let Some(sources) = self.texts.sources(text_of(fields, "content").unwrap_or_default()) else {
            return;
        };
        let parsed =
            texts_of(fields, "derived_from").iter().filter_map(|source| source.parse().ok()).collect();
        let mut all: BTreeSet<TextSource> = parsed;
        all.extend(sources);
        if text_of(fields, "name").is_none() {
            fields.insert("curator".to_owned(), "agent".into());
            all.remove(&TextSource::Agent);
        }
        if !all.is_empty() {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            fields.insert("derived_from".to_owned(), all.into());
        }
    }

    async fn made_as(
        &mut self,
        side: Side,
        after: MemoryEntry,
        stamp: Stamp,
    ) -> Result<Decided, TransferError> {
        let scope = after.scope().as_str().to_owned();
        let names: Vec<String> = inklings_domain::named_entry::names_of(&after).map(key).collect();
        self.is_entry(&after);
        match self.writer(side).await?.update(&stamped(after, stamp)).await {
            Ok(()) => {
                self.written[side as usize] += 1;
                self.claimed.extend(names.into_iter().map(|name| (scope.clone(), name)));
                Ok(Decided(Outcome::Change, "the one in the file is newer".into()))
            }
            Err(error) => refusal(error),
        }
    }

    async fn new_entry(
        &mut self,
        section: Section,
        side: Side,
        mut claims: RowClaims,
    ) -> Result<Decided, TransferError> {
        (self.row.became, self.row.existing) = (None, None);
        let scope = text_of(&claims.modest, "scope").unwrap_or_default().to_owned();
        let stamp = self.stamps[side as usize];
        let mut reason = String::new();
        let name = names_in_use(&claims.modest).first().cloned();
        let mut owner = None;
        if let Some(name) = &name {
            if self.claimed.contains(&(scope.clone(), name.clone())) {
                return Ok(Decided(Outcome::Refuse, "another entry of the file goes by this name".into()));
            }
            owner = self.writer(side).await?.named(&scope, name).await?;
        }
        let is_note = text_of(&claims.modest, "kind") == Some("note");
        // Two books may each have an entry of one name, and none of them replaces the other's.
        let of_other_book = self.format != OWN
            && owner.as_ref().is_some_and(|owner| {
                let id = owner.origin.as_ref().and_then(|origin| origin.external_id.as_deref());
                owner.curator == Curator::Import
                    && id.is_some()
                    && id != text_of(&claims.modest, "external_id")
            });
        let conflicts = if is_note && !of_other_book { self.wanted.conflicts } else { Conflicts::Both };
        // An empty standard entry does not count as existing.
        let unwritten = owner.as_ref().is_some_and(is_unwritten);
        let met = match &owner {
            Some(_) if unwritten && holds_nothing(&claims.modest) => Some(Meeting::Same),
            Some(owner) if !unwritten => {
                // The one that is here may keep the status that it has.
                let is_own = self.format == OWN;
                if is_own {
                    claims = self.weighed(section, claims.into_whole(), Some(owner));
                }
                let met = meet_by_name(owner, &claims.modest, conflicts, self.format);
                if !matches!(met, Meeting::Beside) {
                    self.is_entry(owner);
                } else if is_own {
                    claims = self.weighed(section, claims.into_whole(), None);
                }
                Some(met)
            }
            _ => None,
        };
        let left = match &met {
            Some(Meeting::Leave(reason)) => Some(*reason),
            Some(Meeting::Same) => Some("an entry of this name is here already, just so"),
            _ => None,
        };
        if let Some(reason) = left {
            self.claims_nothing();
            return Ok(Decided::skip(reason));
        }
        let need = self.need_to_add(side, owner.as_ref(), met.as_ref(), &claims.modest).await?;
        let mut fields = match need {
            None => claims.modest,
            Some(need) => {
                let after = match &met {
                    Some(Meeting::Become(after)) => Some(&**after),
                    _ => None,
                };
                if !self.picked_entry(need, owner.as_ref(), after, claims.whole()) {
                    return Ok(self.unpicked());
                }
                claims.into_whole()
            }
        };
        if let Some(owner) = owner {
            if unwritten {
                self.makes_way(side, &owner).await?;
            } else if let Meeting::Become(mut after) = meet_by_name(&owner, &fields, conflicts, self.format) {
                if self.format == OWN {
                    self.keep_names(side, &owner, &fields, &mut after).await?;
                }
                return self.made_as(side, *after, stamp).await;
            } else {
                let name = text_of(&fields, "name").unwrap_or_default();
                let free = self.free_name(side, &scope, name).await?;
                fields.insert("name".to_owned(), free.into());
                "under another name, because this one is in use".clone_into(&mut reason);
            }
        }
        if name.is_some() {
            let aliases = texts_of(&fields, "aliases");
            let given = aliases.len();
            let aliases = self.free_aliases(side, &scope, aliases).await?;
            if aliases.len() < given {
                "without a name that is in use".clone_into(&mut reason);
            }
            fields.insert("aliases".to_owned(), aliases.into());
        }
        self.add_entry(section, side, fields, reason).await
    }

    /// Adds a new entry, of which the names are free.
    async fn add_entry(
        &mut self,
        section: Section,
        side: Side,
        fields: Fields,
        reason: String,
    ) -> Result<Decided, TransferError> {
        let scope = text_of(&fields, "scope").unwrap_or_default().to_owned();
        match self.writer(side).await?.add(section, &fields).await {
            Ok(()) => {
                self.written[side as usize] += 1;
                let names = names_in_use(&fields).into_iter();
                let id = text_of(&fields, "id").and_then(|id| id.parse().ok());
                let is_target = scope == MemoryScope::Workspace.as_str() && !names.as_slice().is_empty();
                let name = text_of(&fields, "name").filter(|_| is_target);
                self.row.became = id.zip(name).map(|(id, name)| Linkable {
                    id,
                    name: name.to_owned(),
                    is_new: true,
                    is_subject: fields.contains_key("subject"),
                });
                self.claimed.extend(names.map(|name| (scope.clone(), name)));
                Ok(Decided(Outcome::Add, reason))
            }
            Err(error) => refusal(error),
        }
    }

    /// The aliases of a new entry that nothing else goes by.
    async fn free_aliases(
        &mut self,
        side: Side,
        scope: &str,
        aliases: Vec<String>,
    ) -> Result<Vec<String>, TransferError> {
        let mut free = Vec::with_capacity(aliases.len());
        for alias in aliases {
            let folded = key(&alias);
            let claimed = self.claimed.contains(&(scope.to_owned(), folded.clone()));
            if !claimed && self.writer(side).await?.named(scope, &folded).await?.is_none() {
                free.push(alias);
            }
        }
        Ok(free)
    }

    /// Why a row is added, or replaces the entry of its name, only if its line is picked; `None` if it need not be picked.
    async fn need_to_add(
        &mut self,
        side: Side,
        owner: Option<&MemoryEntry>,
        met: Option<&Meeting>,
        fields: &Fields,
    ) -> Result<Option<Need>, StoreError> {
        let after = match met {
            Some(Meeting::Become(after)) => Some(&**after),
            _ => None,
        };
        let widens = match after {
            Some(after) => self.widens(owner, &Disclosure::of(after)).await?,
            None => self.widens(None, &disclosure_in(fields)).await?,
        };
        Ok(if widens {
            Some(Need::Knowers)
        } else if side == Side::Account {
            Some(Need::Account)
        } else if speaks(text_of(fields, "scope").unwrap_or_default(), fields, None) {
            Some(Need::Voice)
        } else {
            after.map(|_| Need::Replaces)
        })
    }

    /// Records that the row is an existing entry.
    fn is_entry(&mut self, entry: &MemoryEntry) {
        let name =
            entry.name.clone().filter(|_| entry.is_active() && entry.scope() == MemoryScope::Workspace);
        let is_subject = entry.subject.is_some();
        self.row.existing = Some(entry.id);
        self.row.became = name.map(|name| Linkable { id: entry.id, name, is_new: false, is_subject });
    }

    /// Forgets an empty entry. False if it is not empty.
    async fn makes_way(&mut self, side: Side, owner: &MemoryEntry) -> Result<bool, StoreError> {
        if !is_unwritten(owner) {
            return Ok(false);
        }
        let gone = owner.forgotten(ForgetReason::MadeWay, self.stamps[side as usize]);
        let gone = gone.map_err(|error| StoreError::Refused(error.to_string().into()))?;
        self.writer(side).await?.update(&gone).await?;
        self.written[side as usize] += 1;
        Ok(true)
    }

    /// The name with the lowest free number.
    async fn free_name(&mut self, side: Side, scope: &str, name: &str) -> Result<String, StoreError> {
        let base = base_of_copy(name);
        let mut free = format!("{base} (2)");
        for number in 3..1_000 {
            let folded = key(&free);
            let claimed = self.claimed.contains(&(scope.to_owned(), folded.clone()));
            if !claimed && self.writer(side).await?.named(scope, &folded).await?.is_none() {
                break;
            }
            free = format!("{base} ({number})");
        }
        Ok(free)
    }
}
