//! Converts third-party entries to memory entries and back. The original fields are retained with the entry:
//! an unchanged entry is exported as it was imported; a changed entry is exported with its new content and
//! the other original fields.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use inklings_application::memory::import::{ImportItem, ordinary_importance};
use inklings_domain::{
    forget_reason::ForgetReason,
    subject,
    text::{
        self, MAX_KEYS, MAX_KEYS_BYTES, MAX_TAGS, MAX_TITLE_CHARS, body, fold, is_bidi_control, label, tags,
    },
    transfer::import_source::SourceEntry,
};
use inklings_formats::entries::{
    Format, Knower, Placement, Relation, ThirdPartyEntry, beginning, has_more_fields,
};
use inklings_ports::transfer::{
    fields::{forget_reason, read_moment, text_of, texts_of},
    shape::Section,
    store::Fields,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::knowers::KIND_OF_KNOWER;

/// Default importance, and the importance of entries that are always shown.
const ORDINARY: f64 = 0.5;
const STANDING: f64 = 1.0;

/// The original fields of a third-party entry, retained with the memory entry.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a field of the source or says how it came in")]
pub struct CarriedFields {
    /// Original id.
    id: Option<String>,
    name: Option<String>,
    aliases: Vec<String>,
    tags: Vec<String>,
    importance: Option<f64>,
    standing: bool,
    /// True if the worldbuilder wants it to be shown only when it is named, although the source always shows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    only_when_named: bool,
    /// True if it was disabled in the source.
    off: bool,
    created: Option<DateTime<Utc>>,
    updated: Option<DateTime<Utc>>,
    /// Kind of the subject that it describes in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// True if it was imported as a subject of that kind.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_subject: bool,
    /// True if its kind is a tag in the source too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_kind_as_tag: bool,
    /// What it states of two entries in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<Relation>,
    /// What it is about in the source, besides the links in its text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    about: Vec<String>,
    /// Who knows of it in the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    known_by: Vec<Knower>,
    /// True if it is known by fewer in the source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    known_by_fewer: bool,
    /// True for a subject that the source only names as knowing of its entries.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    only_knows: bool,
    /// Name in Inklings of an entry that is always shown and has no name or alias in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    called: Option<String>,
    /// The original text, if it differs from the imported one, for example in surrounding white space.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// True if name and aliases became title and keys. An earlier release made tags of them.
    titled: bool,
    /// Fields without a counterpart in Inklings.
    extra: Value,
    /// Key of the import, which distinguishes it from others of the format, and position of the entry in the
    /// file.
    book: String,
    at: u64,
    /// Data of the file as a whole. Several of the first entries carry it, because any one of them may be
    /// refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<Value>,
}

/// Names, tags, importance and text of a third-party entry in Inklings.
#[derive(Debug, PartialEq)]
pub struct Here {
    /// Name, if it becomes a named entry. An invalid name is passed on unchanged, so that the import refuses
    /// it with the reason.
    pub name: Option<String>,
    /// Aliases of a named entry, without those that are invalid in Inklings.
    pub aliases: Vec<String>,
    /// Title of an entry that is not named: its name in the source, or else its first alias.
    pub title: Option<String>,
    /// Keys of an entry that is not named: its aliases, without those that are invalid in Inklings.
    pub keys: Vec<String>,
    pub tags: Vec<String>,
    /// Importance, in [0, 1].
    pub importance: f64,
    /// Text. If the source has no text and no name is taken over, this is the title.
    pub content: String,
}

/// Makes valid tags of words, up to the maximum number of tags.
pub fn tags_of<'w>(words: impl IntoIterator<Item = &'w String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        let tag = tags([word]).ok().and_then(|mut tags| tags.pop());
        if all.len() < MAX_TAGS
            && let Some(tag) = tag
            && !all.contains(&tag)
        {
            all.push(tag);
        }
    }
    all.sort_unstable();
    all
}

/// A valid title made of a name in the source; `None` if nothing of it can be shown.
fn title_of(name: &str) -> Option<String> {
    if let Ok(title) = text::title(name) {
        return title;
    }
    let is_plain = |c: &char| !is_bidi_control(*c) && (!c.is_control() || c.is_whitespace());
    let plain: String = name.chars().filter(is_plain).collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    text::title(&words.chars().take(MAX_TITLE_CHARS).collect::<String>()).ok().flatten()
}

/// The aliases that are valid keys, as many as an entry may have.
fn keys_of(aliases: &[String]) -> Vec<String> {
    let mut bytes = 0;
    let valid = aliases.iter().filter_map(|alias| text::keys([alias]).ok()?.pop());
    let fits = |key: &String| {
        bytes += key.len();
        bytes <= MAX_KEYS_BYTES
    };
    let mut keys = text::keys(valid.take_while(fits)).unwrap_or_default();
    keys.truncate(MAX_KEYS);
    keys
}

impl Here {
    fn of(carried: &CarriedFields, content: &str) -> Self {
        let plain = body(content).unwrap_or_else(|_| content.to_owned());
        let shown = || {
            let title = carried.title().or(carried.called.as_ref());
            title.filter(|_| carried.standing && !carried.only_when_named)
        };
        let title = if carried.is_subject { carried.name.as_ref() } else { shown() };
        let ordinary = if carried.standing { STANDING } else { ORDINARY };
        let Some(title) = title else {
            return Self {
                name: None,
                aliases: Vec::new(),
                title: carried.title().and_then(|title| title_of(title)),
                keys: keys_of(&carried.aliases),
                tags: tags_of(&carried.tags),
                importance: carried.importance.unwrap_or(ORDINARY),
                content: if plain.is_empty() {
                    carried.title().map(|title| body(title).unwrap_or_default()).unwrap_or_default()
                } else {
                    plain
                },
            };
        };
        let name = label("name", title).unwrap_or_else(|_| title.clone());
        let mut own = vec![fold(&name)];
        let mut aliases =
            carried.aliases.iter().filter_map(|alias| label("alias", alias).ok()).collect::<Vec<_>>();
        aliases.retain(|alias| {
            let alias = fold(alias);
            let new = !own.contains(&alias);
            own.push(alias);
            new
        });
        let importance = carried.importance.unwrap_or(ordinary);
        Self {
            name: Some(name),
            aliases,
            title: None,
            keys: Vec::new(),
            tags: tags_of(carried.tags.iter().filter(|tag| carried.kind_as_tag() != Some(tag))),
            importance,
            content: plain,
        }
    }
}

/// A name for each entry that is always shown and has no name or alias: the beginning of its text. Only a named
/// entry is always shown in Inklings. The names differ from one another and from the names in the file.
pub fn names_of_nameless(entries: &[ThirdPartyEntry]) -> Vec<Option<String>> {
    let mut used: HashSet<String> = entries.iter().filter_map(|entry| entry.title()).map(fold).collect();
    let mut name = |entry: &ThirdPartyEntry| {
        if !entry.standing || entry.title().is_some() || entry.content.trim().is_empty() {
            return None;
        }
        let base = label("name", &beginning(&entry.content)).unwrap_or_else(|_| "Entry".to_owned());
        let mut name = base.clone();
        let mut twin = 2;
        while !used.insert(fold(&name)) {
            name = format!("{base} ({twin})");
            twin += 1;
        }
        Some(name)
    };
    entries.iter().map(&mut name).collect()
}

/// How a third-party entry is imported.
#[derive(Debug, Clone, Default)]
pub struct How {
    /// Its name from [`names_of_nameless`].
    pub called: Option<String>,
    /// True to show it only when it is named.
    pub only_when_named: bool,
    /// True for a subject: it is named, and has its kind.
    pub is_subject: bool,
    /// True if the kind of a subject is a tag in its format too.
    pub has_kind_as_tag: bool,
}

/// A third-party entry during import.
pub struct Arrived {
    /// The original fields to retain.
    pub carried: CarriedFields,
    /// The converted values.
    pub here: Here,
    /// False if it is disabled in the source.
    pub enabled: bool,
}

impl Arrived {
    /// Converts an entry of a file; `place` is the key of its import and its position in the file.
    pub fn new(entry: ThirdPartyEntry, place: (&str, u64), how: How) -> Self {
        let How { called, only_when_named, is_subject, has_kind_as_tag } = how;
        let (content, enabled) = (entry.content, entry.enabled);
        let mut carried = CarriedFields {
            id: entry.external_id,
            name: entry.name,
            aliases: entry.aliases,
            tags: entry.tags,
            importance: entry.importance,
            standing: entry.standing,
            only_when_named: only_when_named && entry.standing,
            off: !enabled,
            created: entry.created,
            updated: entry.updated,
            kind: entry.subject,
            is_subject,
            has_kind_as_tag,
            relation: entry.relation,
            about: entry.about,
            known_by: entry.known_by,
            known_by_fewer: entry.known_by_fewer,
            only_knows: false,
            called,
            content: None,
            titled: true,
            extra: entry.extra,
            book: place.0.to_owned(),
            at: place.1,
            file: None,
        };
        let here = Here::of(&carried, &content);
        carried.content = (here.content != content).then_some(content);
        Self { carried, here, enabled }
    }
}

/// The part of a third-party entry that identifies its book.
pub fn source_of(entry: &ThirdPartyEntry, is_subject: bool) -> SourceEntry {
    let how = How { is_subject, ..How::default() };
    let Arrived { carried, here, .. } = Arrived::new(entry.clone(), ("", 0), how);
    let title = carried.title().cloned().unwrap_or_default();
    SourceEntry { id: own_id(entry), title, texts: vec![here.content] }
}

/// As [`source_of`], for a plain line. A line without an id is identified by its text.
pub fn source_of_line(item: &ImportItem) -> SourceEntry {
    let text = body(&item.content).unwrap_or_else(|_| item.content.clone());
    let id = item.origin.external_id.clone().filter(|id| !id.trim().is_empty());
    SourceEntry { id: id.unwrap_or_else(|| mark_of(&[&text])), title: String::new(), texts: vec![text] }
}

fn mark_of(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    format!("{:016x}", text::mark(bytes))
}

fn own_id(entry: &ThirdPartyEntry) -> String {
    const LONG: usize = 400;
    match &entry.external_id {
        Some(id) if id.len() <= LONG && !id.contains(char::is_control) => id.clone(),
        Some(id) => mark_of(&[id]),
        None => mark_of(&[entry.title().unwrap_or_default(), &entry.content]),
    }
}

impl CarriedFields {
    /// The name, or else the first alias.
    fn title(&self) -> Option<&String> {
        self.name.as_ref().or_else(|| self.aliases.first())
    }

    /// The tag that a subject does not get, because it is its kind.
    fn kind_as_tag(&self) -> Option<&String> {
        self.kind.as_ref().filter(|_| self.is_subject && self.has_kind_as_tag)
    }

    /// Creation and modification times in the source.
    pub const fn times(&self) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
        (self.created, self.updated)
    }

    /// The fields to retain of a plain line.
    pub fn of_line(book: &str, at: u64) -> Self {
        Self { book: book.to_owned(), at, ..Self::default() }
    }

    /// The fields to retain of a subject that the source only names as knowing of its entries.
    pub fn of_knower(book: &str) -> Self {
        Self { book: book.to_owned(), only_knows: true, ..Self::default() }
    }

    /// True for a subject that the source only names as knowing of its entries.
    pub const fn is_only_a_knower(&self) -> bool {
        self.only_knows
    }

    /// True for an entry that became a subject because others of the source name it as one who knows of them.
    pub const fn is_subject_by_others(&self) -> bool {
        self.is_subject && self.kind.is_none()
    }

    /// True if the worldbuilder wants it to be shown only when it is named.
    pub const fn is_only_when_named(&self) -> bool {
        self.only_when_named
    }

    /// True if it has fields that no other format takes along, or ends of a relation that are not here.
    pub fn has_more_fields(&self, row: &Fields, format: Format) -> bool {
        let lost = self.relation.is_some() && !row.contains_key("relation");
        lost || has_more_fields(&self.extra, format)
    }

    /// The key of the import and the position in the file.
    pub fn place(&self) -> (&str, u64) {
        (&self.book, self.at)
    }

    /// The part of an existing entry that identifies its book: its current and former texts.
    pub fn as_source(&self, fields: &Fields, format: &str) -> SourceEntry {
        let prefix = format!("{format}:{}:", self.book);
        let id = text_of(fields, "external_id").unwrap_or_default();
        let id = id.strip_prefix(&prefix).unwrap_or(id);
        let history = fields.get("history").and_then(Value::as_array).into_iter().flatten();
        let earlier = history.filter_map(|version| version.get("content").and_then(Value::as_str));
        let texts = text_of(fields, "content").into_iter().chain(earlier).map(str::to_owned).collect();
        SourceEntry { id: id.to_owned(), title: self.title().cloned().unwrap_or_default(), texts }
    }

    /// Combines the changes made in Inklings with the retained fields into a third-party entry.
    fn into_entry(self, fields: &Fields, section: Section, enabled: bool, format: Format) -> ThirdPartyEntry {
        let content = text_of(fields, "content").unwrap_or_default();
        let original = self.content.as_deref().unwrap_or(content);
        let was = Here::of(&self, original);
        let is_named = section == Section::NamedEntries;
        let (name, aliases) = if is_named {
            let untouched = fields.get("version").and_then(Value::as_u64) == Some(1);
            let name = text_of(fields, "name").unwrap_or_default();
            self.names(&was, name, &texts_of(fields, "aliases"), untouched)
        } else {
            self.title_and_keys(&was, text_of(fields, "title"), &texts_of(fields, "keys"))
        };
        let now = text_of(fields, "subject");
        let is_same_kind = |kind: &&String| match now {
            Some(now) => subject::kind(kind).as_deref() == Ok(now),
            None => !self.is_subject,
        };
        let is_of_others = self.is_subject_by_others() && now == Some(KIND_OF_KNOWER);
        let given = now.filter(|_| !is_of_others).map(str::to_owned);
        let kind = self.kind.as_ref().filter(is_same_kind).cloned().or(given);
        let mut tags = self.tags(&was, texts_of(fields, "tags"));
        let old = self.kind_as_tag().filter(|tag| kind.as_ref() != Some(tag));
        if let Some(at) = old.and_then(|old| tags.iter().position(|tag| tag == old)) {
            tags.splice(at..=at, kind.clone());
        }
        let importance = fields.get("importance").and_then(Value::as_f64);
        // At import the importance was taken over, or lowered for an unconfirmed entry.
        let given = [was.importance, was.importance.min(ordinary_importance(is_named))];
        let unchanged = importance.is_some_and(|importance| given.contains(&importance));
        let importance = if unchanged { self.importance } else { importance };
        let standing =
            if is_named { now.is_none() || self.standing } else { self.standing && was.name.is_none() };
        let same_text = was.content == content;
        // An entry that was undone and restored has a new version but the original content.
        let unchanged = same_text
            && (&name, &aliases, &tags, &kind) == (&self.name, &self.aliases, &self.tags, &self.kind)
            && (importance, standing, enabled) == (self.importance, self.standing, !self.off);
        // A relation that has another text now is written as a new one where it has no place for a text.
        let is_bare = format.has_bare_relations() && fields.contains_key("relation") && !same_text;
        let updated = || text_of(fields, "updated_at").and_then(read_moment);
        ThirdPartyEntry {
            name,
            aliases,
            content: if same_text { original } else { content }.to_owned(),
            tags,
            importance,
            subject: kind,
            relation: self.relation,
            about: self.about,
            known_by: self.known_by,
            known_by_fewer: self.known_by_fewer,
            standing,
            enabled,
            created: self.created,
            updated: if unchanged { self.updated } else { updated() },
            external_id: self.id.or_else(|| text_of(fields, "id").map(str::to_owned)),
            placement: Placement::default(),
            extra: if is_bare { Value::Null } else { self.extra },
        }
    }

    fn names(
        &self,
        was: &Here,
        name: &str,
        now: &[String],
        untouched: bool,
    ) -> (Option<String>, Vec<String>) {
        let same_name = was.name.as_deref() == Some(name);
        // Some aliases may be missing because another entry had them at import; the user did not remove them.
        // A name that was made of the text may be numbered by the import; it is not the user's either.
        if (same_name && was.aliases == now) || (untouched && (same_name || self.called.is_some())) {
            return (self.name.clone(), self.aliases.clone());
        }
        let current: Vec<String> = now.iter().map(String::as_str).chain([name]).map(fold).collect();
        let ours: Vec<String> = was.aliases.iter().chain(&was.name).map(|name| fold(name)).collect();
        // Aliases that were never valid in Inklings cannot have been removed by the user, so they remain.
        let stays = |alias: &&String| current.contains(&fold(alias)) || !ours.contains(&fold(alias));
        let mut aliases: Vec<String> = self.aliases.iter().filter(stays).cloned().collect();
        let name = if same_name { self.name.clone() } else { Some(name.to_owned()) };
        let mut known: Vec<String> = aliases.iter().chain(&name).map(|name| fold(name)).collect();
        for alias in now {
            if !known.contains(&fold(alias)) {
                known.push(fold(alias));
                aliases.push(alias.clone());
            }
        }
        (name, aliases)
    }

    /// Name and aliases of an entry that is not named, with the changes of its title and keys.
    fn title_and_keys(
        &self,
        was: &Here,
        title: Option<&str>,
        now: &[String],
    ) -> (Option<String>, Vec<String>) {
        // An earlier release gave no titles, so their absence is no change.
        let is_change = |is_there: bool, differs: bool| differs && (self.titled || is_there);
        let name = if is_change(title.is_some(), was.title.as_deref() != title) {
            title.map(str::to_owned)
        } else {
            self.name.clone()
        };
        if !is_change(!now.is_empty(), was.keys != now) {
            return (name, self.aliases.clone());
        }
        // What was never a valid key cannot have been removed.
        let stays = |alias: &&String| match keys_of(std::slice::from_ref(*alias)).pop() {
            Some(key) => now.contains(&key),
            None => true,
        };
        let mut aliases: Vec<String> = self.aliases.iter().filter(stays).cloned().collect();
        let known = keys_of(&aliases);
        aliases.extend(now.iter().filter(|key| !known.contains(key)).cloned());
        (name, aliases)
    }

    fn tags(&self, was: &Here, mut now: Vec<String>) -> Vec<String> {
        now.sort_unstable();
        if now == was.tags {
            return self.tags.clone();
        }
        let one = |word: &String| tags_of([word]).pop();
        let called: Vec<String> = self.name.iter().chain(&self.aliases).filter_map(one).collect();
        let mut all: Vec<String> = self
            .tags
            .iter()
            .filter(|tag| one(tag).is_none_or(|tag| now.contains(&tag) || !was.tags.contains(&tag)))
            .cloned()
            .collect();
        let known: Vec<String> = all.iter().filter_map(one).chain(called).collect();
        all.extend(now.into_iter().filter(|tag| !known.contains(tag)));
        all
    }
}

/// Where the retained fields of an entry come from.
pub enum RetainedFields {
    /// The format that is written.
    SameFormat(CarriedFields),
    /// Another format, which has no fields in common with it.
    OtherFormat(CarriedFields),
}

/// Converts a memory entry to a third-party entry with its retained fields, if any; `None` for an entry that
/// is not in use. An entry from another format takes along what has a place in both.
pub fn entry(
    fields: &Fields,
    section: Section,
    carried: Option<RetainedFields>,
    format: Format,
) -> Option<ThirdPartyEntry> {
    let enabled = match forget_reason(fields) {
        None => true,
        Some(ForgetReason::SwitchedOff) => false,
        Some(_) => return None,
    };
    let word = |name: &str| text_of(fields, name).map(str::to_owned);
    let standing = section == Section::NamedEntries;
    let name = word(if standing { "name" } else { "title" });
    match carried {
        Some(RetainedFields::SameFormat(carried)) => {
            Some(carried.into_entry(fields, section, enabled, format))
        }
        Some(RetainedFields::OtherFormat(carried)) => {
            let entry = carried.into_entry(fields, section, enabled, format);
            Some(ThirdPartyEntry {
                // Entries of two books may have one id.
                external_id: word("id"),
                name: if entry.title().is_some() { entry.name } else { name },
                subject: word("subject"),
                // Names mean something else in another file.
                relation: None,
                about: Vec::new(),
                known_by: Vec::new(),
                known_by_fewer: false,
                placement: Placement::of(&entry.extra),
                extra: Value::Null,
                ..entry
            })
        }
        None => Some(ThirdPartyEntry {
            external_id: word("id"),
            name,
            aliases: texts_of(fields, if standing { "aliases" } else { "keys" }),
            content: word("content").unwrap_or_default(),
            tags: texts_of(fields, "tags"),
            importance: fields.get("importance").and_then(Value::as_f64),
            subject: word("subject"),
            relation: None,
            about: Vec::new(),
            known_by: Vec::new(),
            known_by_fewer: false,
            standing: standing && !fields.contains_key("subject"),
            enabled,
            created: text_of(fields, "created_at").and_then(read_moment),
            updated: text_of(fields, "updated_at").and_then(read_moment),
            placement: Placement::default(),
            extra: Value::Null,
        }),
    }
}
