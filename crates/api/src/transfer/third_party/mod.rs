//! Import and export of third-party formats, through the common import pipeline and the common export reader.

mod book;
mod carried;
mod export;
mod formats;
mod graph;
mod knowers;
mod pages;

use std::{
    collections::HashSet,
    fs::{self, File},
    io::BufReader,
    path::Path,
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use inklings_application::{
    memory::import::ImportItem,
    session::Session,
    transfer::{ExportScope, names_in_use},
};
use inklings_domain::{
    conversation::message::estimated_tokens,
    derivation::Derivation,
    named_entry::key,
    text::body,
    transfer::import_source::{KnownSources, SourceEntry},
};
use inklings_formats::entries::{Collection, Format, FormatError, LeftBehind, ThirdPartyEntry, open_entries};
use inklings_ports::{
    clock::Clock,
    transfer::{
        derivations::derivations_value,
        fields::{text_of, written_moment},
        file::{FileError, FileRow, FileRows, FileSource, RowLinks, TransferError},
        shape::Section,
        store::{Fields, TransferRow},
    },
};
use serde_json::Value;

pub use self::{
    book::decided,
    export::{Written, export},
};
use self::{
    book::{BookChoice, Identity, Naming, identify},
    carried::{Arrived, CarriedFields, How, names_of_nameless, tags_of},
    formats::{format_of, view_of},
    graph::{FileNames, kinds},
    knowers::FileKnowers,
};
use crate::transfer::{CONVERSATIONS, Read};
use crate::{
    error::{CommandError, sentence},
    file_hash::Hashed,
    memory::import,
    system::SystemClock,
    transfer::view::{AlwaysShown, ImportBook, ImportRemark, ImportRequest, TransferFormat},
    wire::count,
};

/// Page size for reading rows.
const PAGE: usize = 200;
/// Number of entries that carry the data of their file.
const CARRIERS: usize = 3;

fn unreadable(error: &FormatError) -> CommandError {
    CommandError::invalid("path", sentence(&error.to_string()))
}

/// A file opened for import.
pub struct Opened {
    /// Rows of the file.
    pub source: Box<dyn FileSource>,
    /// What else the reader tells of the file.
    pub(super) read: Read,
}

/// Rows in memory. Third-party files are small and their readers limit the size.
struct Ready {
    format: &'static str,
    /// The file; of a folder, each row names its own.
    file: Option<Derivation>,
    rows: Arc<[FileRow]>,
}

struct Rows {
    rows: Arc<[FileRow]>,
    next: usize,
}

impl Iterator for Rows {
    type Item = Result<FileRow, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.rows.get(self.next)?.clone();
        self.next += 1;
        Some(Ok(row))
    }
}

impl FileRows for Rows {
    fn progress(&self) -> (u64, u64) {
        (self.next as u64, self.rows.len() as u64)
    }
}

impl FileSource for Ready {
    fn format(&self) -> &'static str {
        self.format
    }

    fn derivation(&self) -> Option<Derivation> {
        self.file.clone()
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        Ok(Box::new(Rows { rows: Arc::clone(&self.rows), next: 0 }))
    }
}

/// What is known of earlier imports of a format.
#[derive(Default)]
struct Earlier {
    known: KnownSources,
    /// Ids of the entries that the worldbuilder wants to be shown only when they are named.
    only_when_named: HashSet<String>,
    /// Ids of the entries that became subjects because others of their file name them as knowing of them.
    subjects_by_others: HashSet<String>,
    /// Names that are in use, folded.
    names: HashSet<String>,
}

/// Reads the entries of a third-party file or folder. Compares them with earlier imports to detect which of them it
/// continues.
///
/// # Errors
/// [`CommandError`] of code `invalid`: field `path`, with the position; field `book` for a choice that cannot be.
pub fn source(
    path: &Path,
    request: &ImportRequest,
    session: &Session,
    runtime: &tokio::runtime::Handle,
) -> Result<Opened, CommandError> {
    let choice = BookChoice::of(request)?;
    let format = request.format;
    let earlier = |name| runtime.block_on(earlier_imports(session, name));
    let plain = |items: Vec<ImportItem>| {
        let (ready, book) = lines(items, path, &earlier(LINES)?, &choice)?;
        let read = Read { book: Some(book), ..Read::of(TransferFormat::Jsonl) };
        Ok(Opened { source: Box::new(ready), read })
    };
    if format == Some(TransferFormat::Jsonl) {
        return plain(line_items(path)?);
    }
    match open_entries(path, format.and_then(format_of)) {
        Ok(mut collection) => {
            let remarks = std::mem::take(&mut collection.remarks).into_iter();
            let remarks = remarks
                .map(|remark| ImportRemark { reason: remark.reason.to_owned(), count: count(remark.count) });
            let mut left_behind = std::mem::take(&mut collection.left_behind);
            if collection.format == Format::ClaudeMemories && inklings_formats::open(path).is_ok() {
                left_behind.push(LeftBehind { what: CONVERSATIONS, path: "conversations.json".to_owned() });
            }
            let budget = runtime.block_on(session.orientations().tokens_of_named());
            let read = Read {
                remarks: remarks.collect(),
                left_behind,
                damaged: std::mem::take(&mut collection.damaged),
                always_shown: always_shown(&collection, budget),
                ..Read::of(view_of(collection.format))
            };
            let earlier = earlier(collection.format.name())?;
            let (ready, book) = ready(collection, path, &earlier, &choice, request)?;
            Ok(Opened { source: Box::new(ready), read: Read { book: Some(book), ..read } })
        }
        // Plain JSON Lines have no marker; they are detected by parsing them.
        Err(error) if format.is_none() && path.is_file() => match line_items(path) {
            Ok(items) if !items.is_empty() => plain(items),
            _ if inklings_formats::open(path).is_ok() => {
                Err(CommandError::invalid("path", "These are conversations: they are brought in as such."))
            }
            _ => Err(unreadable(&error)),
        },
        Err(error) => Err(unreadable(&error)),
    }
}

/// The entries that are always shown, if they take more tokens than named entries may.
fn always_shown(collection: &Collection, budget: u64) -> Option<AlwaysShown> {
    let shown = || collection.entries.iter().filter(|entry| entry.standing && entry.enabled);
    let tokens = |entry: &ThirdPartyEntry| {
        estimated_tokens(entry.title().unwrap_or_default()) + estimated_tokens(&entry.content)
    };
    let tokens: u64 = shown().map(tokens).sum();
    (tokens > budget).then(|| AlwaysShown {
        entries: count(shown().count()),
        tokens: count(tokens),
        budget: count(budget),
    })
}

/// Name of the format of plain JSON Lines, and source of their entries.
const LINES: &str = "jsonl";
/// Key of the entries of plain lines whose book is unknown: an earlier release did not record it.
const OLD_LINES: &str = "lines";

fn line_items(path: &Path) -> Result<Vec<ImportItem>, CommandError> {
    let file = File::open(path).map_err(TransferError::from)?;
    Ok(import::items(BufReader::new(file))?)
}

/// A file as the source of entries; `None` for a folder, and for a file that cannot be read.
fn file_source(path: &Path) -> Option<Derivation> {
    if !path.is_file() {
        return None;
    }
    let hash = Hashed::new(BufReader::new(File::open(path).ok()?)).finish().ok()?;
    Derivation::file(&path.file_name()?.to_string_lossy(), hash)
}

/// The name of a file or folder without its ending.
fn name_of(path: &Path) -> String {
    let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
    stem.map(|stem| stem.to_string_lossy().replace(char::is_control, " ")).unwrap_or_default()
}

fn lines(
    items: Vec<ImportItem>,
    path: &Path,
    earlier: &Earlier,
    choice: &BookChoice,
) -> Result<(Ready, ImportBook), CommandError> {
    let name = name_of(path);
    let naming = Naming { format: LINES, name: &name, plain_ids: true };
    let entries: Vec<SourceEntry> = items.iter().map(carried::source_of_line).collect();
    let Identity { book, ids } = identify(&naming, &entries, &earlier.known, choice)?;
    let saved = saved(path);
    let row = |(n, (item, id)): (usize, (ImportItem, String))| {
        let mut fields = Fields::new();
        fields.insert("content".into(), item.content.into());
        fields.insert("title".into(), item.title.into());
        fields.insert("keys".into(), item.keys.into());
        fields.insert("tags".into(), tags_of(&item.tags).into());
        let origin = item.origin;
        for (name, value) in [
            ("external_id", Some(id)),
            ("session", origin.session),
            ("speaker", origin.speaker),
            ("said_at", origin.said_at),
        ] {
            fields.insert(name.into(), value.into());
        }
        fields.insert("importance".into(), item.importance.into());
        date(&mut fields, (None, None), saved);
        put_carried(&mut fields, LINES, &CarriedFields::of_line(&book.id, n as u64));
        FileRow {
            section: Section::Memories,
            line: item.line as u64,
            place: Some(format!("line {}", item.line)),
            fields,
            links: RowLinks::default(),
        }
    };
    let rows = items.into_iter().zip(ids).enumerate().map(row).collect();
    Ok((Ready { format: LINES, file: file_source(path), rows }, book))
}

/// Puts the retained fields into a row.
fn put_carried(fields: &mut Fields, format: &str, carried: &CarriedFields) {
    // All keys are strings, so this cannot fail; if it did, losing the retained fields is better than losing the
    // entry.
    let carried = serde_json::to_value(carried).unwrap_or_default();
    fields.insert("foreign_fields".into(), Fields::from_iter([(format.to_owned(), carried)]).into());
}

/// Modification time of a file, if it is known and not in the future.
fn saved(path: &Path) -> Option<DateTime<Utc>> {
    let at = fs::metadata(path).and_then(|data| data.modified()).ok()?;
    let at = DateTime::<Utc>::from(at).trunc_subsecs(6);
    (at <= SystemClock.now() && at > DateTime::UNIX_EPOCH).then_some(at)
}

/// Sets the times of an entry. An entry without times gets the modification time of its file, so that a later
/// change in Inklings counts as newer.
fn date(
    fields: &mut Fields,
    (created, updated): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
    saved: Option<DateTime<Utc>>,
) {
    let created = created.or(updated).or(saved);
    let updated = updated.or(saved).max(created);
    fields.insert("created_at".into(), created.map(written_moment).into());
    fields.insert("updated_at".into(), updated.map(written_moment).into());
}

/// All earlier imports of a format, including undone ones.
async fn earlier_imports(session: &Session, format: &str) -> Result<Earlier, CommandError> {
    let scope = ExportScope { account: true, workspace: true, channel: None, conversation: None };
    let mut earlier = Earlier::default();
    for mut source in session.transfers().export_sources(&scope).await? {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut take = |rows: Vec<TransferRow>| {
                for mut row in rows {
                    let id = text_of(&row.fields, "external_id").unwrap_or_default().to_owned();
                    let carried = take_carried(&mut row.fields, format).or_else(|| {
                        let is_line = format == LINES && text_of(&row.fields, "source") == Some(LINES);
                        (is_line && !id.is_empty()).then(|| CarriedFields::of_line(OLD_LINES, 0))
                    });
                    earlier.names.extend(names_in_use(&row.fields));
                    if let Some(carried) = carried.filter(|carried| !carried.is_only_a_knower()) {
                        earlier.known.note(carried.place().0, &id, &carried.as_source(&row.fields, format));
                        if carried.is_subject_by_others() {
                            earlier.subjects_by_others.insert(id.clone());
                        }
                        if carried.is_only_when_named() {
                            earlier.only_when_named.insert(id);
                        }
                    }
                }
                Ok(())
            };
            source.pages(section, PAGE, false, &mut take).await?;
        }
    }
    Ok(earlier)
}

/// An entry of a file with what it becomes.
struct Incoming {
    entry: ThirdPartyEntry,
    /// Its stored id.
    id: String,
    /// The kind of the subject that it becomes.
    kind: Option<String>,
    how: How,
}

fn ready(
    collection: Collection,
    path: &Path,
    earlier: &Earlier,
    choice: &BookChoice,
    request: &ImportRequest,
) -> Result<(Ready, ImportBook), CommandError> {
    let format = collection.format;
    // Two books can number their entries alike and two files can have the same name, so the content
    // distinguishes them.
    let name = name_of(path);
    let naming = Naming { format: format.name(), name: &name, plain_ids: false };
    let called = names_of_nameless(&collection.entries);
    let knowers = FileKnowers::named(&collection.entries, format, request.scope);
    let is_new_knower = |entry: &ThirdPartyEntry| {
        knowers.is_named(entry) && !earlier.names.contains(&key(entry.name.as_deref().unwrap_or_default()))
    };
    let kinds_with = |is_knower: &dyn Fn(usize, &ThirdPartyEntry) -> bool| {
        kinds(&collection.entries, &called, is_knower, request.scope)
    };
    let kinds = kinds_with(&|_, entry| is_new_knower(entry));
    let sources = collection.entries.iter().zip(&kinds);
    let sources: Vec<SourceEntry> =
        sources.map(|(entry, kind)| carried::source_of(entry, kind.is_some())).collect();
    let Identity { book, ids } = identify(&naming, &sources, &earlier.known, choice)?;
    // What became a subject by an earlier file stays one.
    let was_knower = |place: usize| ids.get(place).is_some_and(|id| earlier.subjects_by_others.contains(id));
    let kinds = kinds_with(&|place, entry| was_knower(place) || is_new_knower(entry));
    let file_saved = saved(path);
    let file = collection.extra;
    let has_more_fields = file.as_object().is_some_and(|extra| !extra.is_empty());
    let mut carriers = if has_more_fields { CARRIERS } else { 0 };
    let entries = collection.entries.into_iter().zip(called).zip(ids.into_iter().zip(kinds));
    let incoming = |((entry, called), (id, kind)): ((_, Option<String>), (String, Option<String>))| {
        let how = How {
            called,
            only_when_named: request.only_when_named || earlier.only_when_named.contains(&id),
            is_subject: kind.is_some(),
            has_kind_as_tag: format.has_kind_as_tag(),
        };
        Incoming { entry, id, kind, how }
    };
    let entries: Vec<Incoming> = entries.map(incoming).collect();
    let is_named = |incoming: &Incoming| {
        incoming.how.is_subject || (incoming.entry.standing && !incoming.how.only_when_named)
    };
    let numbered = (1_u64..).zip(&entries).filter(|(_, incoming)| is_named(incoming));
    let names = FileNames::of(numbered.clone().map(|(line, incoming)| (line, &incoming.entry)), format);
    let knowers =
        knowers.with_own(&numbered.map(|(line, incoming)| (line, &incoming.entry, incoming.how.is_subject)));
    let is_folder = path.is_dir();
    let row = |(n, incoming): (usize, Incoming)| {
        let Incoming { entry, id, kind, how } = incoming;
        // Each file of a folder has its own modification time.
        let inside = entry.extra.get("path").and_then(Value::as_str).map(str::to_owned);
        let own_file = inside.as_deref().filter(|_| format == Format::Markdown);
        let saved = own_file.and_then(|inside| saved(&path.join(inside))).or(file_saved);
        let mut links = names.links(&entry, format);
        knowers.put_links(&mut links, &entry, &book.id);
        let place = (book.id.as_str(), n as u64);
        let plain = kind
            .is_some()
            .then(|| Arrived::new(entry.clone(), place, How { is_subject: false, ..how.clone() }));
        let arrived = Arrived::new(entry, place, how);
        let fits =
            body(&arrived.here.content).is_ok_and(|body| !body.is_empty() || arrived.here.name.is_some());
        let file = (fits && carriers > 0).then_some(&file);
        carriers -= usize::from(file.is_some());
        let fields_of = |arrived: Arrived| fields_of(arrived, (&id, saved), (format, file));
        links.unless_subject = plain.map(|plain| fields_of(plain).1);
        let (section, mut fields) = fields_of(arrived);
        if let Some(kind) = kind {
            fields.insert("subject".into(), kind.into());
        }
        let part = inside.as_deref().filter(|_| is_folder);
        if let Some(file) = part.and_then(|inside| file_source(&path.join(inside))) {
            fields.insert("derivations".into(), derivations_value(&[file]));
        }
        let is_subject = fields.contains_key("subject");
        if let Some(Value::Array(aliases)) = fields.get_mut("aliases") {
            let is_taken = |alias: &str| (is_subject && names.is_taken(alias)) || knowers.is_elsewhere(alias);
            aliases.retain(|alias| !alias.as_str().is_some_and(is_taken));
        }
        FileRow { section, line: n as u64 + 1, place: inside, fields, links }
    };
    let mut rows: Vec<FileRow> = entries.into_iter().enumerate().map(row).collect();
    rows.sort_by_key(|row| row.section);
    Ok((Ready { format: format.name(), file: file_source(path), rows: rows.into() }, book))
}

/// The fields of a row, and its section. `file` is the data of the file as a whole, if the entry carries it.
fn fields_of(
    arrived: Arrived,
    (id, saved): (&str, Option<DateTime<Utc>>),
    (format, file): (Format, Option<&Value>),
) -> (Section, Fields) {
    let Arrived { mut carried, here, enabled } = arrived;
    let mut fields = Fields::new();
    fields.insert("external_id".into(), id.into());
    date(&mut fields, carried.times(), saved);
    carried.file = file.cloned();
    put_carried(&mut fields, format.name(), &carried);
    fields.insert("importance".into(), here.importance.into());
    fields.insert("tags".into(), here.tags.into());
    if let Some(title) = here.title {
        fields.insert("title".into(), title.into());
    }
    if !here.keys.is_empty() {
        fields.insert("keys".into(), here.keys.into());
    }
    let mut section = Section::Memories;
    if let Some(name) = here.name {
        section = Section::NamedEntries;
        fields.insert("name".into(), name.into());
        fields.insert("aliases".into(), here.aliases.into());
    }
    fields.insert("content".into(), here.content.into());
    fields.insert("enabled".into(), enabled.into());
    (section, fields)
}

/// Extracts the retained third-party fields of a row.
fn take_carried(fields: &mut Fields, format: &str) -> Option<CarriedFields> {
    let carried = fields.get_mut("foreign_fields").and_then(|formats| formats.get_mut(format));
    serde_json::from_value(carried?.take()).ok()
}
