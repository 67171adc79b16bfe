//! Entries of an Inklings export that are here under another id: one of the same name, or with the same id of another
//! program. What the file says of such an entry is said of the one that is here.

use std::{collections::HashMap, fmt::Write as _};

use inklings_domain::{
    calendar::story_point::StoryPoint,
    derivation::Derivation,
    ids::MemoryId,
    memory::{
        filter::{MemoryFilter, ScopeFilter},
        link::{Link, LinkRole, sorted},
    },
    scope::PerTier,
};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        derivations::{derivations_of, derivations_value},
        fields::text_of,
        file::{FileRow, FileSource, TransferError},
        links::{links_of, links_value},
        shape::{OWN, Section},
        store::Fields,
    },
};
use serde_json::Value;

use super::{
    super::{decide::is_unwritten, plan::Conflicts},
    Pass, Side, store_error,
};
use crate::services::Transfers;

/// The ids here of entries that have another id in the file.
#[derive(Debug, Default)]
pub(super) struct SameEntries {
    here: HashMap<MemoryId, MemoryId>,
}

impl SameEntries {
    fn note(&mut self, in_file: MemoryId, here: MemoryId) {
        if in_file != here {
            self.here.insert(in_file, here);
        }
    }

    /// True if each entry is the same one in `later`.
    pub fn are_in(&self, later: &Self) -> bool {
        self.here.iter().all(|(in_file, here)| later.here.get(in_file) == Some(here))
    }

    /// The id here of an entry of the file.
    fn of(&self, id: MemoryId) -> MemoryId {
        self.here.get(&id).copied().unwrap_or(id)
    }

    /// The text of an id of the file as that of the id here.
    pub fn text_of(&self, id: &str) -> String {
        id.parse().map_or_else(|_| id.to_owned(), |id| self.of(id).to_string())
    }

    fn link(&self, link: Link) -> Link {
        let since = link.since.map(|since| match since {
            StoryPoint::Chapter(id) => StoryPoint::Chapter(self.of(id)),
            moment @ StoryPoint::Moment(_) => moment,
        });
        Link { target: self.of(link.target), since, ..link }
    }

    /// The links of an entry. Two entries of the file can be one here; nothing is linked to itself for that, and nothing
    /// loses those who know of it.
    fn links(&self, given: &[Link], own: Option<MemoryId>) -> Vec<Link> {
        let links: Vec<Link> = given
            .iter()
            .map(|given| Some(self.link(*given)).filter(|link| Some(link.target) != own).unwrap_or(*given))
            .collect();
        let end = |role| links.iter().find(|link| link.role == role).map(|link| link.target);
        let is_loop = end(LinkRole::From).is_some() && end(LinkRole::From) == end(LinkRole::To);
        Some(links)
            .filter(|_| !is_loop)
            .and_then(|links| sorted(links).ok())
            .unwrap_or_else(|| given.to_vec())
    }

    /// Lets the ids in a checked row lead to the entries here. Gives the row's other ids than those of the file, for the hash
    /// of the plan.
    pub fn put_into(&self, section: Section, fields: &mut Fields) -> String {
        let mut put = String::new();
        if self.here.is_empty() {
            return put;
        }
        let own = text_of(fields, "id").filter(|_| section.holds_entries());
        let own = own.and_then(|id| id.parse().ok()).map(|id| self.of(id));
        self.put_into_version(fields, own, &mut put);
        for list in ["history", "values"] {
            let items = fields.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
            for item in items.filter_map(Value::as_object_mut) {
                self.put_into_version(item, own, &mut put);
            }
        }
        put
    }

    fn put_into_version(&self, fields: &mut Fields, own: Option<MemoryId>, put: &mut String) {
        for name in ["links", "known_by"] {
            let links = fields.get(name).and_then(links_of);
            let after = links.map(|links| links_value(&self.links(&links, own)));
            Self::replace(fields, name, after, put);
        }
        for name in ["consolidated_into", "knower_id", "as_of_chapter"] {
            let after = text_of(fields, name).map(|id| self.text_of(id).into());
            Self::replace(fields, name, after, put);
        }
        let derivations = fields.get("derivations").and_then(derivations_of);
        let after =
            derivations.map(|all| all.into_iter().map(|one| self.derivation(one)).collect::<Vec<_>>());
        Self::replace(fields, "derivations", after.map(|all| derivations_value(&all)), put);
    }
    fn derivation(&self, made_of: Derivation) -> Derivation {
        match made_of {
            Derivation::Memory { id, version } => Derivation::Memory { id: self.of(id), version },
            other => other,
        }
    }

    fn replace(fields: &mut Fields, name: &str, after: Option<Value>, put: &mut String) {
        let Some((value, after)) = fields.get_mut(name).zip(after) else { return };
        if *value != after {
            let _ = write!(put, " {name} {after}");
            *value = after;
        }
    }
}

impl Pass<'_> {
    /// Records which entry is the one of the current row, if there is one.
    pub(super) fn note_same(&mut self, in_file: &str) {
        if let (Ok(in_file), Some(here)) = (in_file.parse(), self.row.existing) {
            self.same.note(in_file, here);
        }
    }

    /// Records which entry has the row's id of another program. It is looked up only: the second pass decides about it.
    pub(super) async fn note_same_external_id(&mut self, row: &FileRow) -> Result<(), StoreError> {
        let id = text_of(&row.fields, "id").and_then(|id| id.parse().ok());
        let (Some(id), true) = (id, row.fields.contains_key("external_id")) else { return Ok(()) };
        // A copy beside the one that is here has the id of the file.
        if self.wanted.conflicts != Conflicts::Both
            && let Some(current) = self.writer(Side::of(&row.fields)).await?.entry(&row.fields).await?
        {
            self.same.note(id, current.id);
        }
        Ok(())
    }
}

impl Transfers<'_> {
    /// True if an Inklings export can only meet its own entries: nothing is here that it could name otherwise.
    pub(super) async fn is_nothing_here(&self, source: &dyn FileSource) -> Result<bool, TransferError> {
        if source.format() != OWN {
            return Ok(false);
        }
        let all = MemoryFilter::with_forgotten(ScopeFilter::EVERYTHING);
        // Entries without a text are not counted, such as a subject that is a name and no more.
        let counts = self.session.memories().count(&all).await.map_err(store_error)?;
        let named = self.session.named_entries().list().await.map_err(store_error)?;
        Ok(counts == PerTier::default() && named.iter().all(is_unwritten))
    }
}
