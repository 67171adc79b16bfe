//! Who knows of third-party entries. A knower is a subject that the file or the workspace has, or a new one of this name. What
//! cannot be said leaves fewer who know, or is left to a person: an import widens nobody's knowledge by itself.

use std::collections::HashSet;

use inklings_domain::{
    calendar::story_point::StoryPoint,
    forget_reason::ForgetReason,
    ids::MemoryId,
    memory::{
        MemoryEntry,
        filter::ScopeFilter,
        link::{Link, LinkRole, MAX_LINKS},
    },
    named_entry::key,
    scope::MemoryScope,
    subject::disclosure::{Disclosure, MoreKnow},
};
use inklings_ports::{
    store_error::StoreError,
    transfer::{
        fields::text_of,
        file::{FileRow, NamedKnower, RowLinks, TransferError},
        shape::Section,
        store::Fields,
    },
};

use super::{
    super::{
        check::checked,
        decide::{label, names_in_use},
        plan::{Outcome, PlanItem, PlanLink},
    },
    Decided, Pass, Side,
    linking::{Found, Linkable, Target},
    refusal,
};
use crate::error::AppError;

/// Reason shown for an entry of which some knowers are left out.
const WITHOUT_SOME: &str =
    "without some who know of it, because they are no subjects here or the time is unknown";
/// Reason shown for a subject that only knows of entries.
const KNOWS: &str = "because it knows of what only some know";

/// A subject that a file only names as knowing of its entries.
pub(super) struct NewKnower {
    entry: Linkable,
    /// The fields of its row until it is added.
    fields: Option<Fields>,
}

impl Pass<'_> {
    /// True if more would know after an entry is written than know now, or than the file says.
    ///
    /// # Errors
    /// [`StoreError`] if a database fails.
    pub(super) async fn widens(
        &mut self,
        current: Option<&MemoryEntry>,
        after: &Disclosure,
    ) -> Result<bool, StoreError> {
        // Nobody knows of what was taken back.
        let known = current.filter(|current| !current.is_forgotten_for(&ForgetReason::CreationUndone));
        Ok(self.row.widens
            || match after.more_know(known.map(Disclosure::of).as_ref()) {
                None => false,
                Some(MoreKnow::Entry) => true,
                Some(MoreKnow::OfGroup(group)) => self.may_know(group).await?,
            })
    }

    /// True if a group may know of something here, now or later. One that the file adds knows only what the file says.
    async fn may_know(&mut self, group: MemoryId) -> Result<bool, StoreError> {
        let id = Fields::from_iter([("id".to_owned(), group.to_string().into())]);
        if self.writer(Side::Workspace).await?.entry(&id).await?.is_some() {
            return Ok(true);
        }
        // An entry that was destroyed may still be named as one who knows, or as a member of another group.
        let roles = [LinkRole::KnownBy, LinkRole::From];
        let linked =
            self.session.workspace.subjects.linked_to(&[group], &roles, &ScopeFilter::EVERYTHING, 1).await?;
        Ok(!linked.is_empty())
    }

    /// Adds who knows of a row to its links.
    ///
    /// # Errors
    /// [`TransferError::Store`] if a database fails.
    pub(super) async fn put_knowers(
        &mut self,
        found: &mut Found,
        given: &RowLinks,
        own: &HashSet<MemoryId>,
    ) -> Result<(), TransferError> {
        let mut seen = HashSet::new();
        let mut left_out = false;
        for knower in &given.known_by {
            let target = self.knower(knower).await?.filter(|target| !own.contains(&target.entry.id));
            let since = self.since(knower).await?;
            let (Some(target), Some(since)) = (target, since) else {
                left_out = true;
                continue;
            };
            if found.links.len() == MAX_LINKS {
                left_out = true;
                break;
            }
            if seen.insert(target.entry.id) {
                self.put_knower(found, &target, (knower, since));
            }
        }
        found.linked.widens = given.known_by_fewer || (left_out && seen.is_empty());
        if left_out && !seen.is_empty() {
            found.linked.reason = WITHOUT_SOME;
        }
        Ok(())
    }

    fn put_knower(
        &self,
        found: &mut Found,
        target: &Target,
        (knower, since): (&NamedKnower, Option<StoryPoint>),
    ) {
        let Target { entry: Linkable { id, name, .. }, digest } = target;
        let linked = &mut found.linked;
        found.links.push(Link::known_by(*id, since));
        let text = knower.since.clone();
        linked.digest.extend([
            " ",
            LinkRole::KnownBy.as_str(),
            " ",
            digest,
            " @ ",
            text.as_deref().unwrap_or(""),
        ]);
        linked.links.push(PlanLink { role: LinkRole::KnownBy, name: name.clone(), since: text });
        if self.new_knowers.get(&key(name)).is_some_and(|new| new.entry.id == *id) {
            linked.made.push(key(name));
        }
    }

    /// Since when a knower knows, `Some(None)`: always; `None` if it cannot be read.
    async fn since(&self, knower: &NamedKnower) -> Result<Option<Option<StoryPoint>>, TransferError> {
        let Some(text) = &knower.since else { return Ok(Some(None)) };
        match self.session.lenses().point(text).await {
            Ok(point) => Ok(Some(Some(point))),
            Err(AppError::Store(error)) => Err(error.into()),
            // It is neither a date nor a chapter.
            Err(_) => Ok(None),
        }
    }

    /// The subject that a knower is. A named entry that is no subject stays what it is.
    async fn knower(&mut self, knower: &NamedKnower) -> Result<Option<Target>, TransferError> {
        if let Some((line, found)) = self.linkables.first_of(&knower.subject.lines) {
            let target = || Target { entry: found.clone(), digest: format!("line {line}") };
            return Ok(found.is_subject.then(target));
        }
        let scope = MemoryScope::Workspace.as_str();
        for name in &knower.subject.names {
            let name = key(name);
            if let Some(new) = self.new_knowers.get(&name) {
                return Ok(Some(Target { entry: new.entry.clone(), digest: format!("new {name}") }));
            }
            if let Some(entry) = self.writer(Side::Workspace).await?.named(scope, &name).await? {
                return Ok(entry.subject.is_some().then(|| Target::of(&entry)));
            }
        }
        let Some(mut fields) = knower.new.clone() else { return Ok(None) };
        let Some(name) = text_of(&fields, "name").map(str::to_owned) else { return Ok(None) };
        let id = self.session.ids.memory_id();
        fields.insert("id".to_owned(), id.to_string().into());
        let entry = Linkable { id, name: name.clone(), is_new: true, is_subject: true };
        let target = Target { entry: entry.clone(), digest: format!("new {}", key(&name)) };
        self.new_knowers.insert(key(&name), NewKnower { entry, fields: Some(fields) });
        Ok(Some(target))
    }

    /// Adds subjects that know of a row which came in, each once.
    ///
    /// # Errors
    /// [`TransferError::Store`] if a database fails.
    pub(super) async fn add_knowers(&mut self, names: &[String]) -> Result<(), TransferError> {
        for name in names {
            let Some(fields) = self.new_knowers.get_mut(name).and_then(|new| new.fields.take()) else {
                continue;
            };
            let section = Section::NamedEntries;
            let fields = self.completed(fields, 0);
            let (shown, subject) = (label(&fields), text_of(&fields, "subject").map(str::to_owned));
            let row = FileRow { section, line: 0, place: None, fields, links: RowLinks::default() };
            let Decided(outcome, reason) = match checked(row) {
                Ok(fields) => self.add_knower(&fields).await?,
                Err(error) => Decided(Outcome::Refuse, error.message),
            };
            let what = section.what();
            let item = PlanItem { what, label: shown, reason, subject, ..PlanItem::of(outcome) };
            self.tally.note(item, &format!("new {name}"), false);
        }
        Ok(())
    }

    async fn add_knower(&mut self, fields: &Fields) -> Result<Decided, TransferError> {
        match self.writer(Side::Workspace).await?.add(Section::NamedEntries, fields).await {
            Ok(()) => {
                self.written[Side::Workspace as usize] += 1;
                let scope = MemoryScope::Workspace.as_str();
                self.claimed.extend(names_in_use(fields).into_iter().map(|name| (scope.to_owned(), name)));
                Ok(Decided(Outcome::Add, KNOWS.to_owned()))
            }
            Err(error) => refusal(error),
        }
    }
}
