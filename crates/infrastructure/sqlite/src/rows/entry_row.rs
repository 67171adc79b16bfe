//! An entry as one row of `memories` or `memory_versions`. The columns are listed once; reading, writing, the
//! format of changes of two files, and the checksum follow from the list.

use std::{borrow::Cow, num::NonZeroU32, sync::Arc};

use inklings_domain::{
    calendar::{Calendar, moment::Moment, span::Span},
    derivation::Derivation,
    memory::{Forgotten, Importance, MemoryEntry, Origin, link::Link},
    scope::{MemoryScope, Place},
};
use inklings_ports::{
    calendar::json as calendar_json,
    memory::store::StoredEntry,
    transfer::{derivations, links},
};
use serde::{Deserialize, Deserializer, de::Error as _};
use sqlx::{Row, sqlite::SqliteRow};

use crate::{
    error::{DbError, DbResult},
    rows::{forget_reason, json_list, micros, moment, parsed, sources},
};

/// The value of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'v> {
    Text(Option<Cow<'v, str>>),
    Whole(Option<i64>),
    Real(f64),
}

/// A type that a column has in a row.
trait Column<'r>: Sized {
    const IS_TEXT: bool = false;
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self>;
    fn value(self) -> Value<'r>;
}

impl<'r> Column<'r> for Cow<'r, str> {
    const IS_TEXT: bool = true;
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self> {
        Ok(Self::Borrowed(row.try_get(at)?))
    }
    fn value(self) -> Value<'r> {
        Value::Text(Some(self))
    }
}

impl<'r> Column<'r> for Option<Cow<'r, str>> {
    const IS_TEXT: bool = true;
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self> {
        Ok(row.try_get::<Option<&str>, _>(at)?.map(Cow::Borrowed))
    }
    fn value(self) -> Value<'r> {
        Value::Text(self)
    }
}

impl<'r> Column<'r> for i64 {
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self> {
        Ok(row.try_get(at)?)
    }
    fn value(self) -> Value<'r> {
        Value::Whole(Some(self))
    }
}

impl<'r> Column<'r> for Option<i64> {
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self> {
        Ok(row.try_get(at)?)
    }
    fn value(self) -> Value<'r> {
        Value::Whole(self)
    }
}

impl<'r> Column<'r> for f64 {
    fn read(row: &'r SqliteRow, at: usize) -> DbResult<Self> {
        Ok(row.try_get(at)?)
    }
    fn value(self) -> Value<'r> {
        Value::Real(self)
    }
}

/// A column over the alias `m` of `memories` or `v` of `memory_versions`.
macro_rules! column {
    (v, id) => {
        "v.memory_id"
    };
    (v, embedded_by) => {
        "NULL"
    };
    ($table:ident, $name:ident) => {
        concat!(stringify!($table), ".", stringify!($name))
    };
}
pub(crate) use column;

/// A column over the alias `m`, as JSON has it. Importance keeps all its digits.
macro_rules! json_column {
    (importance) => {
        "format('%!.20g', m.importance)"
    };
    ($name:ident) => {
        concat!("m.", stringify!($name))
    };
}

macro_rules! entry_row {
    ($d:tt $(#[$first_attr:meta])* $first:ident: $first_type:ty, $($(#[$attr:meta])* $name:ident: $type:ty,)*) => {
        /// The row of an entry, in the order of its columns. The last ones may be missing in JSON that an earlier
        /// release stored.
        #[derive(Debug, Deserialize)]
        pub struct EntryRow<'r> {
            $(#[$first_attr])* $first: $first_type,
            $($(#[$attr])* $name: $type,)*
        }

        /// The names of the columns of an entry.
        pub const COLUMNS: &[&str] = &[stringify!($first) $(, stringify!($name))*];

        impl<'r> EntryRow<'r> {
            /// For each of [`COLUMNS`], whether it holds text.
            const ARE_TEXTS: [bool; COLUMNS.len()] =
                [<$first_type as Column<'r>>::IS_TEXT $(, <$type as Column<'r>>::IS_TEXT)*];

            /// Reads the columns of `entry_columns!`, which start at `from`.
            fn read(row: &'r SqliteRow, from: usize) -> DbResult<Self> {
                let mut at = from..;
                let mut next = || at.next().unwrap_or(usize::MAX);
                Ok(Self {
                    $first: Column::read(row, next())?,
                    $($name: Column::read(row, next())?,)*
                })
            }

            /// The values in the order of [`COLUMNS`].
            pub fn values(self) -> [Value<'r>; COLUMNS.len()] {
                [self.$first.value() $(, self.$name.value())*]
            }
        }

        /// The columns of an entry over the alias `m` of `memories` or `v` of `memory_versions`.
        macro_rules! entry_columns {
            ($d table:ident) => {
                concat!(
                    $crate::rows::entry_row::column!($d table, $first)
                    $(, ", ", $crate::rows::entry_row::column!($d table, $name))*
                )
            };
        }

        macro_rules! json_rows_from {
            ($d from:literal) => {
                concat!(
                    "SELECT json_group_array(json_array(",
                    json_column!($first) $(, ", ", json_column!($name))*,
                    ")) FROM ", $d from
                )
            };
        }
    };
}

entry_row! {$
    #[serde(borrow)]
    id: Cow<'r, str>,
    #[serde(borrow)]
    scope: Cow<'r, str>,
    channel_id: Option<Cow<'r, str>>,
    conversation_id: Option<Cow<'r, str>>,
    #[serde(borrow)]
    lifetime: Cow<'r, str>,
    #[serde(borrow)]
    curator: Cow<'r, str>,
    #[serde(borrow)]
    source: Cow<'r, str>,
    #[serde(borrow)]
    kind: Cow<'r, str>,
    name: Option<Cow<'r, str>>,
    #[serde(borrow)]
    aliases: Cow<'r, str>,
    #[serde(borrow)]
    content: Cow<'r, str>,
    #[serde(deserialize_with = "digits")]
    importance: f64,
    #[serde(borrow)]
    tags: Cow<'r, str>,
    pinned: i64,
    external_id: Option<Cow<'r, str>>,
    session: Option<Cow<'r, str>>,
    speaker: Option<Cow<'r, str>>,
    said_at: Option<Cow<'r, str>>,
    source_conversation_id: Option<Cow<'r, str>>,
    version: i64,
    #[serde(borrow)]
    written_by: Cow<'r, str>,
    #[serde(borrow)]
    change_id: Cow<'r, str>,
    forgotten_at: Option<i64>,
    forgotten_reason: Option<Cow<'r, str>>,
    forgotten_run: Option<Cow<'r, str>>,
    consolidated_into: Option<Cow<'r, str>>,
    access_count: i64,
    created_at: i64,
    updated_at: i64,
    accessed_at: i64,
    #[serde(borrow)]
    derived_from: Cow<'r, str>,
    embedded_by: Option<Cow<'r, str>>,
    #[serde(default)]
    forgotten_code: Option<Cow<'r, str>>,
    #[serde(default)]
    title: Option<Cow<'r, str>>,
    #[serde(default)]
    keys: Option<Cow<'r, str>>,
    #[serde(default)]
    subject: Option<Cow<'r, str>>,
    #[serde(default)]
    relation: Option<Cow<'r, str>>,
    #[serde(default)]
    links: Option<Cow<'r, str>>,
    #[serde(default)]
    holds_from: Option<i64>,
    #[serde(default)]
    holds_until: Option<i64>,
    #[serde(default)]
    reading_number: Option<i64>,
    #[serde(default)]
    calendar: Option<Cow<'r, str>>,
    #[serde(default)]
    derivations: Option<Cow<'r, str>>,
}
#[expect(
    clippy::single_component_path_imports,
    reason = "the lint does not see a macro that another one defines"
)]
pub(crate) use entry_columns;

/// The columns that the checksum covers, in its order. A version has all of them, so it keeps the checksum of the entry.
/// A new column goes to the end, as `Named` or `NamedWhole`: without a value it does not change a checksum, so entries of
/// earlier releases keep theirs.
pub const COVERED: &[(&str, Kind)] = &[
    ("id", Kind::Text),
    ("version", Kind::Whole),
    ("change_id", Kind::Text),
    ("scope", Kind::Text),
    ("lifetime", Kind::Text),
    ("curator", Kind::Text),
    ("kind", Kind::Text),
    ("importance", Kind::Real),
    ("pinned", Kind::Whole),
    ("source", Kind::Text),
    ("written_by", Kind::Text),
    ("created_at", Kind::Whole),
    ("updated_at", Kind::Whole),
    ("forgotten_at", Kind::Whole),
    ("forgotten_reason", Kind::Text),
    ("forgotten_run", Kind::Text),
    ("consolidated_into", Kind::Text),
    ("external_id", Kind::Text),
    ("session", Kind::Text),
    ("speaker", Kind::Text),
    ("said_at", Kind::Text),
    ("source_conversation_id", Kind::Text),
    ("derived_from", Kind::Text),
    ("tags", Kind::Text),
    ("name", Kind::Text),
    ("aliases", Kind::Text),
    ("content", Kind::Text),
    ("forgotten_code", Kind::Added),
    ("title", Kind::Named),
    ("keys", Kind::Named),
    ("subject", Kind::Named),
    ("relation", Kind::Named),
    ("links", Kind::Named),
    ("holds_from", Kind::NamedWhole),
    ("holds_until", Kind::NamedWhole),
    ("reading_number", Kind::NamedWhole),
    ("calendar", Kind::Named),
    ("derivations", Kind::Named),
];

/// How the checksum reads a column.
#[derive(Clone, Copy)]
pub enum Kind {
    Text,
    Whole,
    Real,
    /// `forgotten_code` alone, which an earlier release added without the name of the column. A second column of this kind
    /// would give a value the same checksum in either of them.
    Added,
    /// A text of a later release, with the name of its column: a value in another column gives another checksum.
    Named,
    /// As `Named`, for an integer.
    NamedWhole,
}

/// The entries of a workspace (first parameter) with these ids (second), all in one row, which [`of_json`] reads. sqlx
/// copies each value of a row by itself, so 200 entries as rows take twice as long (ADR 37).
pub const BY_ID: &str =
    json_rows_from!("memories AS m WHERE m.workspace_id = ?1 AND m.id IN (SELECT value FROM json_each(?2))");

/// Like [`BY_ID`], with row numbers.
pub const BY_ROW_NUMBER: &str = json_rows_from!(
    "json_each(?2) AS j CROSS JOIN memories AS m ON m.seq = j.value WHERE m.workspace_id = ?1"
);

/// The columns of an entry that hold text.
pub fn text_columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().zip(EntryRow::ARE_TEXTS).filter_map(|(column, is_text)| is_text.then_some(*column))
}

/// The position of a column. A name that is no column fails the build.
pub const fn position(name: &str) -> usize {
    let mut at = 0;
    while at < COLUMNS.len() {
        if same(COLUMNS[at].as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    panic!("no column of this name")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

fn digits<'de, D: Deserializer<'de>>(json: D) -> Result<f64, D::Error> {
    <&str>::deserialize(json)?.parse().map_err(D::Error::custom)
}

/// Reads an entry from the columns of `entry_columns!`, which start at `from`.
pub fn entry(row: &SqliteRow, from: usize) -> DbResult<MemoryEntry> {
    Ok(stored(row, from)?.entry)
}

/// Like [`entry`], with the model of its newest vector.
pub fn stored(row: &SqliteRow, from: usize) -> DbResult<StoredEntry> {
    EntryRow::read(row, from)?.stored()
}

/// Parses the result of [`BY_ID`].
pub fn of_json(rows: &str) -> DbResult<Vec<StoredEntry>> {
    let rows: Vec<EntryRow<'_>> = serde_json::from_str(rows).map_err(|_| DbError::Row { column: "entry" })?;
    rows.into_iter().map(EntryRow::stored).collect()
}

fn maybe<T: std::str::FromStr>(text: Option<&str>, column: &'static str) -> DbResult<Option<T>> {
    text.map(|text| parsed(text, column)).transpose()
}

fn count(number: i64, column: &'static str) -> DbResult<u64> {
    u64::try_from(number).map_err(|_| DbError::Row { column })
}

fn list(json: &str, column: &'static str) -> DbResult<Vec<String>> {
    serde_json::from_str(json).map_err(|_| DbError::Row { column })
}

fn links(json: &str) -> DbResult<Vec<Link>> {
    let value = serde_json::from_str(json).ok();
    value.as_ref().and_then(links::links_of).ok_or(DbError::Row { column: "links" })
}

/// The derivations of an entry or a proposal; none for NULL.
pub fn derivations(json: Option<&str>) -> DbResult<Vec<Derivation>> {
    let Some(json) = json else { return Ok(Vec::new()) };
    let value = serde_json::from_str(json).ok();
    value.as_ref().and_then(derivations::derivations_of).ok_or(DbError::Row { column: "derivations" })
}

/// The column of derivations; NULL for none.
pub fn derivations_json(derivations: &[Derivation]) -> Option<String> {
    (!derivations.is_empty()).then(|| derivations::derivations_value(derivations).to_string())
}

fn calendar(json: &str) -> DbResult<Arc<Calendar>> {
    let value = serde_json::from_str(json).ok();
    let calendar = value.as_ref().and_then(|value| calendar_json::calendar_of(value).ok());
    calendar.map(Arc::new).ok_or(DbError::Row { column: "calendar" })
}

fn story_moment(value: Option<i64>, column: &'static str) -> DbResult<Option<Moment>> {
    value.map(Moment::from_value).transpose().map_err(|_| DbError::Row { column })
}

/// The span of the columns `holds_from` and `holds_until`.
pub fn story_span(holds_from: Option<i64>, holds_until: Option<i64>) -> DbResult<Span> {
    Span::new(story_moment(holds_from, "holds_from")?, story_moment(holds_until, "holds_until")?)
        .map_err(|_| DbError::Row { column: "holds_until" })
}

fn owned(text: Option<Cow<'_, str>>) -> Option<String> {
    text.map(Cow::into_owned)
}

fn list_json(values: &[String]) -> Cow<'static, str> {
    // A shortcut: most entries have none, and an import writes a hundred thousand of them.
    if values.is_empty() {
        Cow::Borrowed("[]")
    } else {
        Cow::Owned(serde_json::Value::from(values).to_string())
    }
}

impl EntryRow<'_> {
    fn stored(self) -> DbResult<StoredEntry> {
        let (place, forgotten) = (self.place()?, self.forgotten()?);
        let entry = MemoryEntry {
            id: parsed(&self.id, "id")?,
            place,
            lifetime: parsed(&self.lifetime, "lifetime")?,
            curator: parsed(&self.curator, "curator")?,
            kind: parsed(&self.kind, "kind")?,
            importance: Importance::new(self.importance)
                .map_err(|_| DbError::Row { column: "importance" })?,
            tags: list(&self.tags, "tags")?,
            aliases: list(&self.aliases, "aliases")?,
            keys: self.keys.as_deref().map_or(Ok(Vec::new()), |keys| list(keys, "keys"))?,
            links: self.links.as_deref().map_or(Ok(Vec::new()), links)?,
            span: story_span(self.holds_from, self.holds_until)?,
            reading_number: self
                .reading_number
                .map(|number| u32::try_from(number).ok().and_then(NonZeroU32::new))
                .map(|number| number.ok_or(DbError::Row { column: "reading_number" }))
                .transpose()?,
            calendar: self.calendar.as_deref().map(calendar).transpose()?,
            pinned: self.pinned != 0,
            version: count(self.version, "version")?,
            written_by: parsed(&self.written_by, "written_by")?,
            change: parsed(&self.change_id, "change_id")?,
            consolidated_into: maybe(self.consolidated_into.as_deref(), "consolidated_into")?,
            access_count: count(self.access_count, "access_count")?,
            created_at: moment(self.created_at, "created_at")?,
            updated_at: moment(self.updated_at, "updated_at")?,
            accessed_at: moment(self.accessed_at, "accessed_at")?,
            derived_from: sources(&self.derived_from)?,
            derivations: derivations(self.derivations.as_deref())?,
            forgotten,
            origin: Some(Origin {
                external_id: owned(self.external_id),
                session: owned(self.session),
                speaker: owned(self.speaker),
                said_at: owned(self.said_at),
                conversation: maybe(self.source_conversation_id.as_deref(), "source_conversation_id")?,
            })
            .filter(|origin| *origin != Origin::default()),
            source: self.source.into_owned(),
            name: owned(self.name),
            title: owned(self.title),
            subject: owned(self.subject),
            relation: owned(self.relation),
            content: self.content.into_owned(),
        };
        Ok(StoredEntry { entry, embedded_by: owned(self.embedded_by) })
    }

    fn place(&self) -> DbResult<Place> {
        let channel =
            || maybe(self.channel_id.as_deref(), "channel_id")?.ok_or(DbError::Row { column: "channel_id" });
        let conversation = || {
            maybe(self.conversation_id.as_deref(), "conversation_id")?
                .ok_or(DbError::Row { column: "conversation_id" })
        };
        Ok(match parsed(&self.scope, "scope")? {
            MemoryScope::Account => Place::Account,
            MemoryScope::Workspace => Place::Workspace,
            MemoryScope::Channel => Place::Channel(channel()?),
            MemoryScope::Conversation => Place::Conversation(channel()?, conversation()?),
        })
    }

    fn forgotten(&self) -> DbResult<Option<Forgotten>> {
        let Some(at) = self.forgotten_at else { return Ok(None) };
        let words = self.forgotten_reason.as_deref().ok_or(DbError::Row { column: "forgotten_reason" })?;
        Ok(Some(Forgotten {
            at: moment(at, "forgotten_at")?,
            reason: forget_reason(self.forgotten_code.as_deref(), words)?,
            run: maybe(self.forgotten_run.as_deref(), "forgotten_run")?,
        }))
    }
}

impl<'e> EntryRow<'e> {
    /// The row of an entry. Its vector is written separately.
    pub fn of(entry: &'e MemoryEntry) -> Self {
        let word = Cow::Borrowed;
        let id = |id: Option<String>| id.map(Cow::Owned);
        let origin = entry.origin.as_ref();
        let part =
            |part: fn(&Origin) -> Option<&String>| origin.and_then(part).map(|text| word(text.as_str()));
        let forgotten = entry.forgotten.as_ref();
        Self {
            id: Cow::Owned(entry.id.to_string()),
            scope: word(entry.scope().as_str()),
            channel_id: id(entry.place.channel().map(|id| id.to_string())),
            conversation_id: id(entry.place.conversation().map(|id| id.to_string())),
            lifetime: word(entry.lifetime.as_str()),
            curator: word(entry.curator.as_str()),
            source: word(&entry.source),
            kind: word(entry.kind.as_str()),
            name: entry.name.as_deref().map(word),
            aliases: list_json(&entry.aliases),
            content: word(&entry.content),
            importance: entry.importance.get(),
            tags: list_json(&entry.tags),
            pinned: entry.pinned.into(),
            external_id: part(|o| o.external_id.as_ref()),
            session: part(|o| o.session.as_ref()),
            speaker: part(|o| o.speaker.as_ref()),
            said_at: part(|o| o.said_at.as_ref()),
            source_conversation_id: id(origin.and_then(|o| o.conversation).map(|id| id.to_string())),
            version: entry.version as i64,
            written_by: word(entry.written_by.as_str()),
            change_id: Cow::Owned(entry.change.to_string()),
            forgotten_at: forgotten.map(|f| micros(f.at)),
            forgotten_reason: forgotten.map(|f| word(f.reason.note().unwrap_or_default())),
            forgotten_run: id(forgotten.and_then(|f| f.run).map(|run| run.to_string())),
            consolidated_into: id(entry.consolidated_into.map(|id| id.to_string())),
            access_count: entry.access_count as i64,
            created_at: micros(entry.created_at),
            updated_at: micros(entry.updated_at),
            accessed_at: micros(entry.accessed_at),
            derived_from: if entry.derived_from.is_empty() {
                word("[]")
            } else {
                Cow::Owned(json_list(&entry.derived_from))
            },
            embedded_by: None,
            forgotten_code: forgotten.map(|f| word(f.reason.code())),
            title: entry.title.as_deref().map(word),
            keys: (!entry.keys.is_empty()).then(|| list_json(&entry.keys)),
            subject: entry.subject.as_deref().map(word),
            relation: entry.relation.as_deref().map(word),
            links: (!entry.links.is_empty())
                .then(|| Cow::Owned(links::links_value(&entry.links).to_string())),
            holds_from: entry.span.from().map(Moment::value),
            holds_until: entry.span.until().map(Moment::value),
            reading_number: entry.reading_number.map(|number| number.get().into()),
            calendar: entry
                .calendar
                .as_deref()
                .map(|calendar| Cow::Owned(calendar_json::calendar_value(calendar).to_string())),
            derivations: derivations_json(&entry.derivations).map(Cow::Owned),
        }
    }
}

/// The folded form of an entry's aliases, as JSON.
pub fn folded_aliases(entry: &MemoryEntry) -> Cow<'static, str> {
    list_json(&entry.aliases.iter().map(|alias| inklings_domain::named_entry::key(alias)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use inklings_domain::forget_reason::ForgetReason;

    use super::*;

    /// The format in which an earlier release stored a change of two files, in `.changes/`.
    #[test]
    fn an_entry_stored_without_a_reason_code_gets_the_reason_from_its_text() {
        let id = "00000000-0000-7000-8000-000000000001";
        let json_rows = |more: &str| {
            format!(
                r#"[["{id}","account",null,null,"long_term","agent","user","note",null,"[]","A text.","0.5","[]",0,
                null,null,null,null,null,2,"system","{id}",1000000,"it had faded",null,null,0,1,1,1,"[]",null{more}]]"#
            )
        };
        for (more, reason) in [
            ("", ForgetReason::Faded),
            (r#","asked""#, ForgetReason::Asked(Some("it had faded".into()))),
            (r#","capped""#, ForgetReason::Capped),
        ] {
            let entry = of_json(&json_rows(more)).expect("reads").remove(0).entry;
            assert_eq!(entry.forgotten.expect("forgotten").reason, reason);
        }
        assert!(of_json(&json_rows(r#","unheard of""#)).is_err());
    }
}
