//! Subjects, relations and links of third-party entries: which entries become subjects, which entries their names mean, and
//! the names of linked entries in an export.

use std::collections::{HashMap, HashSet};

use inklings_domain::{
    memory::link::{Link, LinkRole},
    named_entry::{key, standing},
    scope::MemoryScope,
    subject,
    text::label,
};
use inklings_formats::entries::{Format, Relation, ThirdPartyEntry, handles, links_in_text};
use inklings_ports::transfer::{
    fields::text_of,
    file::{LinkTarget, NamedRelation, RowLinks},
    links::links_of,
    store::Fields,
};
use serde_json::Value;

use super::knowers::KIND_OF_KNOWER;
use crate::vocabulary::Scope;

/// The kind of the subject that an entry of a file becomes in a tier. `None` if the rules of subjects or names forbid it.
/// A standard entry such as VOICE becomes no subject because a file says so.
pub fn kind_of(entry: &ThirdPartyEntry, is_knower: bool, scope: Scope) -> Option<String> {
    let by_others = || is_knower.then_some(KIND_OF_KNOWER);
    let kind = entry.subject.as_deref().or_else(by_others).filter(|_| scope == Scope::Workspace)?;
    let name = label("name", entry.name.as_deref()?).ok()?;
    let is_standard = standing(MemoryScope::Workspace, &name).is_some();
    subject::kind(kind).ok().filter(|_| !is_standard)
}

/// Which entries of a file become subjects. Of several with one name the first one does. `is_knower` tells entries that
/// others name as knowing of them.
pub fn kinds(
    entries: &[ThirdPartyEntry],
    called: &[Option<String>],
    is_knower: &dyn Fn(usize, &ThirdPartyEntry) -> bool,
    scope: Scope,
) -> Vec<Option<String>> {
    // An entry that is always shown has its name whatever its kind.
    let is_shown = |entry: &&ThirdPartyEntry| entry.standing;
    let mut names: HashSet<String> =
        entries.iter().filter(is_shown).filter_map(ThirdPartyEntry::title).map(key).collect();
    names.extend(called.iter().flatten().map(|name| key(name)));
    let mut kind = |(place, entry): (usize, &ThirdPartyEntry)| {
        let kind = kind_of(entry, is_knower(place, entry), scope)?;
        let is_free = names.insert(key(entry.name.as_deref().unwrap_or_default()));
        (is_free || entry.standing).then_some(kind)
    };
    entries.iter().enumerate().map(&mut kind).collect()
}

/// The named entries of a file, by what its links call them.
#[derive(Default)]
pub struct FileNames {
    lines: HashMap<String, Vec<u64>>,
    /// Names of the entries without their aliases.
    names: HashSet<String>,
}

impl FileNames {
    /// The names of entries with their lines.
    pub fn of<'e>(named: impl Iterator<Item = (u64, &'e ThirdPartyEntry)> + Clone, format: Format) -> Self {
        let mut all = Self::default();
        let title = |entry: &'e ThirdPartyEntry| entry.title().map(str::to_owned).into_iter().collect();
        // What a file calls an entry in its links comes before a name, and a name before an alias.
        let calls: [&dyn Fn(&'e ThirdPartyEntry) -> Vec<String>; 3] =
            [&|entry| handles(entry, format), &title, &|entry| entry.aliases.clone()];
        for names_of in calls {
            for (line, entry) in named.clone() {
                for name in names_of(entry) {
                    let lines = all.lines.entry(key(&name)).or_default();
                    if !lines.contains(&line) {
                        lines.push(line);
                    }
                }
            }
        }
        all.names.extend(named.filter_map(|(_, entry)| entry.title()).map(key));
        all
    }

    /// True if an alias is the name of another entry: of one of the file, or of a standard entry.
    pub fn is_taken(&self, alias: &str) -> bool {
        self.names.contains(&key(alias)) || standing(MemoryScope::Workspace, alias).is_some()
    }

    fn target(&self, name: &str) -> LinkTarget {
        let names: Vec<String> = ways_of(name).map(str::to_owned).collect();
        LinkTarget { lines: self.lines_of(&names), names }
    }

    /// The lines of the entries that go by one of these names, the likeliest first.
    fn lines_of(&self, names: &[String]) -> Vec<u64> {
        names.iter().filter_map(|name| self.lines.get(&key(name))).flatten().copied().collect()
    }

    /// The links of an entry, also those in its text.
    pub fn links(&self, entry: &ThirdPartyEntry, format: Format) -> RowLinks {
        let relation = entry.relation.as_ref().map(|Relation { relation, from, to }| NamedRelation {
            relation: relation.clone(),
            from: self.target(from),
            to: self.target(to),
        });
        let in_text = links_in_text(&entry.content, format);
        let about = entry.about.iter().chain(&in_text).map(|name| self.target(name)).collect();
        RowLinks { relation, about, ..RowLinks::default() }
    }
}

/// A name, and the last step of a name that is a path.
pub fn ways_of(name: &str) -> impl Iterator<Item = &str> {
    let last = name.rsplit_once('/').map(|(_, last)| last).filter(|last| !last.trim().is_empty());
    std::iter::once(name).chain(last)
}

/// An entry of an export.
pub struct Exported {
    /// The entry, with the links that its file has.
    pub entry: ThirdPartyEntry,
    pub(super) id: String,
    relation: Option<String>,
    pub(super) links: Vec<Link>,
    /// True if nobody changed it since it was imported.
    pub(super) untouched: bool,
}

impl Exported {
    /// An entry with the row that it was made of.
    pub fn new(entry: ThirdPartyEntry, row: &Fields) -> Self {
        let word = |name: &str| text_of(row, name).map(str::to_owned);
        Self {
            entry,
            id: word("id").unwrap_or_default(),
            relation: word("relation"),
            links: row.get("links").and_then(links_of).unwrap_or_default(),
            untouched: row.get("version").and_then(Value::as_u64) == Some(1),
        }
    }
}

/// What an export calls an entry.
struct Called {
    name: String,
    /// Its name, and what the file calls it in its links.
    names: HashSet<String>,
    aliases: HashSet<String>,
    untouched: bool,
}

impl Called {
    fn of(exported: &Exported, format: Format) -> Self {
        let Exported { entry, untouched, .. } = exported;
        let name = entry.called();
        let names = handles(entry, format).iter().chain([&name]).map(|name| key(name)).collect();
        let aliases = entry.aliases.iter().map(|alias| key(alias)).collect();
        Self { name, names, aliases, untouched: *untouched }
    }

    /// True if a name or an alias means it.
    fn is(&self, name: &str) -> bool {
        ways_of(name).map(key).any(|way| self.names.contains(&way) || self.aliases.contains(&way))
    }

    /// The name of it as an end of a relation: that of the file as long as the file calls it so. After a renaming the old
    /// name is an alias, which other programs do not know.
    fn as_end(&self, given: Option<&String>) -> String {
        let stays = |given: &&String| {
            ways_of(given).any(|way| self.names.contains(&key(way))) || (self.untouched && self.is(given))
        };
        given.filter(stays).unwrap_or(&self.name).clone()
    }
}

/// Names the entries of an export in the links that lead to them. A link to an entry outside of the export is left out,
/// unless the file says it by itself.
pub fn put_names(entries: &mut [Exported], format: Format) {
    let linked: HashSet<String> =
        entries.iter().flat_map(|entry| &entry.links).map(|link| link.target.to_string()).collect();
    let targets = entries.iter().filter(|entry| linked.contains(&entry.id) || entry.entry.subject.is_some());
    let called: HashMap<String, Called> =
        targets.map(|entry| (entry.id.clone(), Called::of(entry, format))).collect();
    for exported in entries {
        let entry = &mut exported.entry;
        let target = |role| {
            let found = exported.links.iter().find(|link| link.role == role)?;
            called.get(&found.target.to_string())
        };
        if let (Some(word), Some(from), Some(to)) =
            (&exported.relation, target(LinkRole::From), target(LinkRole::To))
        {
            let given = entry.relation.as_ref();
            let same = given.filter(|given| subject::relation(&given.relation).as_ref() == Ok(word));
            entry.relation = Some(Relation {
                relation: same.map_or(word, |given| &given.relation).clone(),
                from: from.as_end(given.map(|given| &given.from)),
                to: to.as_end(given.map(|given| &given.to)),
            });
        }
        let about: HashSet<String> = exported
            .links
            .iter()
            .filter(|link| link.role == LinkRole::About)
            .map(|link| link.target.to_string())
            .collect();
        if !exported.untouched {
            let is_gone = |name: &String| {
                let mut meant =
                    called.iter().filter(|(_, called)| called.is(name)).map(|(id, _)| id).peekable();
                meant.peek().is_some() && !meant.any(|id| about.contains(id))
            };
            entry.about.retain(|name| !is_gone(name));
        }
        let in_text = links_in_text(&entry.content, format);
        let mut new: Vec<String> = about
            .iter()
            .filter_map(|id| called.get(id))
            .filter(|target| !entry.about.iter().chain(&in_text).any(|name| target.is(name)))
            .map(|target| target.name.clone())
            .collect();
        new.sort_unstable();
        entry.about.extend(new);
    }
}
