//! Who knows of third-party entries: whom the names in a file mean, and the names of knowers in an export.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use inklings_application::{error::AppError, session::Session};
use inklings_domain::{
    calendar::story_point::StoryPoint,
    ids::MemoryId,
    memory::{
        filter::ScopeFilter,
        link::{Link, LinkRole},
    },
    named_entry::{key, standing},
    scope::MemoryScope,
    text::label,
};
use inklings_formats::entries::{Format, Knower, ThirdPartyEntry, handles};
use inklings_ports::transfer::{
    file::{NamedKnower, RowLinks},
    store::Fields,
};

use super::{
    carried::CarriedFields,
    graph::{Exported, ways_of},
    put_carried,
};
use crate::vocabulary::Scope;

/// Kind of a subject that a file only names as knowing of its entries.
pub const KIND_OF_KNOWER: &str = "character";

/// The names of a knower, the likeliest first. Only a link in a vault can be a path.
fn names_of(knower: &Knower, format: Format) -> Vec<String> {
    let ways = ways_of(&knower.name).map(str::to_owned);
    if format == Format::Markdown { ways.collect() } else { vec![knower.name.clone()] }
}

/// Those who know of the entries of a file.
pub struct FileKnowers {
    /// Folded names that the file has an own entry for, with what that is.
    own: HashMap<String, Own>,
    /// Folded names that no entry of the file goes by.
    elsewhere: HashSet<String>,
    names: HashSet<String>,
    format: Format,
    may_add: bool,
}

/// Names of an entry.
type NamesOf<'n> = &'n dyn Fn(&ThirdPartyEntry) -> Vec<String>;

/// What an entry of a file is that goes by the name of a knower.
enum Own {
    /// Lines of subjects.
    Subjects(Vec<u64>),
    /// It has the name and is no subject.
    Other,
}

impl FileKnowers {
    /// The names by which the entries of a file call those who know of them.
    pub fn named(entries: &[ThirdPartyEntry], format: Format, scope: Scope) -> Self {
        let knowers = entries.iter().flat_map(|entry| &entry.known_by);
        let names = knowers.flat_map(|knower| names_of(knower, format)).map(|name| key(&name)).collect();
        let may_add = scope == Scope::Workspace;
        Self { own: HashMap::new(), elsewhere: HashSet::new(), names, format, may_add }
    }

    /// True if others name an entry as one who knows of them. What only some know of describes no such subject.
    pub fn is_named(&self, entry: &ThirdPartyEntry) -> bool {
        let is_plain = entry.known_by.is_empty() && !entry.known_by_fewer && entry.relation.is_none();
        is_plain && entry.name.as_deref().is_some_and(|name| self.names.contains(&key(name)))
    }

    /// Adds what the named entries of the file are: with their lines, and whether they become subjects.
    pub fn with_own<'e>(
        mut self,
        named: &(impl Iterator<Item = (u64, &'e ThirdPartyEntry, bool)> + Clone),
    ) -> Self {
        let title =
            |entry: &ThirdPartyEntry| entry.title().map(str::to_owned).into_iter().collect::<Vec<_>>();
        let aliases = |entry: &ThirdPartyEntry| {
            // The keys of a lorebook are words that it is shown for, and no names.
            if self.format.needs_keys() { Vec::new() } else { entry.aliases.clone() }
        };
        let format = self.format;
        let handles = |entry: &ThirdPartyEntry| handles(entry, format);
        let calls: [NamesOf<'_>; 3] = [&handles, &title, &aliases];
        let mut own: HashMap<String, Own> = HashMap::new();
        for names_of in calls {
            let mut found: HashMap<String, Vec<(u64, bool)>> = HashMap::new();
            for (line, entry, is_subject) in named.clone() {
                for name in names_of(entry).iter().map(|name| key(name)) {
                    if self.names.contains(&name) && !own.contains_key(&name) {
                        found.entry(name).or_default().push((line, is_subject));
                    }
                }
            }
            for (name, lines) in found {
                let subjects: Vec<u64> =
                    lines.iter().filter(|(_, is_subject)| *is_subject).map(|(line, _)| *line).collect();
                own.insert(name, if subjects.is_empty() { Own::Other } else { Own::Subjects(subjects) });
            }
        }
        self.elsewhere = self.names.iter().filter(|name| !own.contains_key(*name)).cloned().collect();
        self.own = own;
        self
    }

    /// True if an alias is the name of somebody who is elsewhere.
    pub fn is_elsewhere(&self, alias: &str) -> bool {
        self.elsewhere.contains(&key(alias))
    }

    /// Adds those who know of an entry to its links. `book` is the key of the import.
    pub fn put_links(&self, links: &mut RowLinks, entry: &ThirdPartyEntry, book: &str) {
        links.known_by = entry.known_by.iter().map(|knower| self.named_knower(knower, book)).collect();
        links.known_by_fewer = entry.known_by_fewer;
    }

    fn named_knower(&self, knower: &Knower, book: &str) -> NamedKnower {
        let names = names_of(knower, self.format);
        let since = knower.since.clone();
        let mut found = NamedKnower { since, ..NamedKnower::default() };
        match names.iter().find_map(|name| self.own.get(&key(name))) {
            // Nobody else may be meant by the name.
            Some(Own::Other) => return found,
            Some(Own::Subjects(lines)) => found.subject.lines.clone_from(lines),
            None => {}
        }
        found.new = names.last().and_then(|name| self.new_subject(name, book));
        found.subject.names = names;
        found
    }

    /// The fields of a subject that is only named.
    fn new_subject(&self, name: &str, book: &str) -> Option<Fields> {
        let name = label("name", name).ok().filter(|_| self.may_add)?;
        let is_standard = standing(MemoryScope::Workspace, &name).is_some();
        let mut fields = Fields::new();
        fields.insert("name".into(), name.into());
        fields.insert("aliases".into(), Vec::<String>::new().into());
        fields.insert("subject".into(), KIND_OF_KNOWER.into());
        fields.insert("content".into(), "".into());
        put_carried(&mut fields, self.format.name(), &CarriedFields::of_knower(book));
        (!is_standard).then_some(fields)
    }
}

/// What an export calls those who know of its entries, and the times since when.
pub struct KnowerNames {
    /// Ids by folded name and alias.
    ids: HashMap<String, MemoryId>,
    names: HashMap<MemoryId, String>,
    times: HashMap<StoryPoint, String>,
}

impl KnowerNames {
    /// The names of all who know of these entries, also of those that are not in the export: without its knowers an entry
    /// would be known by everybody.
    pub async fn of(session: &Session, entries: &[Exported]) -> Result<Self, AppError> {
        let mut all = Self { ids: HashMap::new(), names: HashMap::new(), times: HashMap::new() };
        let links: Vec<Link> = entries.iter().flat_map(knowers_of).collect();
        if links.is_empty() && entries.iter().all(|exported| exported.entry.known_by.is_empty()) {
            return Ok(all);
        }
        for row in session.subjects().list(None, &ScopeFilter::EVERYTHING).await? {
            for name in row.aliases.iter().chain([&row.name]) {
                all.ids.insert(key(name), row.id);
            }
            all.names.insert(row.id, row.name);
        }
        for Link { target, since, .. } in links {
            if let Entry::Vacant(free) = all.names.entry(target) {
                free.insert(session.lenses().name_of(target).await?);
            }
            if let Some(since) = since
                && let Entry::Vacant(free) = all.times.entry(since)
            {
                free.insert(session.lenses().print_point(since).await?);
            }
        }
        Ok(all)
    }

    /// Names those who know of the entries. A name of the file stays as long as it means one of them or nobody.
    pub fn put(&self, entries: &mut [Exported], format: Format) {
        for exported in entries {
            let entry = &exported.entry;
            if exported.untouched && (!entry.known_by.is_empty() || entry.known_by_fewer) {
                continue;
            }
            let now: Vec<(MemoryId, Knower)> =
                knowers_of(exported).map(|link| (link.target, self.named(&link))).collect();
            let meant = |knower: &Knower| {
                names_of(knower, format).iter().find_map(|name| self.ids.get(&key(name))).copied()
            };
            let mut known_by: Vec<Knower> = Vec::new();
            for knower in &entry.known_by {
                let stays = match meant(knower) {
                    Some(id) => now.iter().any(|(other, new)| *other == id && new.since == knower.since),
                    // Nobody goes by the name here. Where others are named instead, it does not stay beside them.
                    None => now.is_empty() || now.iter().any(|(_, new)| new == knower),
                };
                if stays {
                    known_by.push(knower.clone());
                }
            }
            let new: Vec<Knower> = now
                .into_iter()
                .filter(|(id, new)| {
                    !known_by.iter().any(|old| meant(old) == Some(*id) || key(&old.name) == key(&new.name))
                })
                .map(|(_, new)| new)
                .collect();
            known_by.extend(new);
            exported.entry.known_by = known_by;
        }
    }

    fn named(&self, link: &Link) -> Knower {
        let name = self.names.get(&link.target).cloned().unwrap_or_else(|| link.target.to_string());
        Knower { name, since: link.since.and_then(|since| self.times.get(&since).cloned()) }
    }
}

fn knowers_of(exported: &Exported) -> impl Iterator<Item = Link> {
    exported.links.iter().filter(|link| link.role == LinkRole::KnownBy).copied()
}
