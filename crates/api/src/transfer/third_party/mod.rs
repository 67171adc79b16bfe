//! Import and export of third-party formats, through the common import pipeline and the common export reader.

mod book;
mod carried;
mod formats;
mod graph;

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::{BufReader, Read as _},
    path::Path,
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use inklings_application::{
    clock::Clock,
    memory::import::ImportItem,
    session::Session,
    transfer::{
        ExportOptions, ExportScope, FileError, FileRow, FileRows, FileSource, RowLinks, TransferError,
        TransferProgress, forget_reason, links_in,
        shape::Section,
        store::{Fields, TransferRow},
        text_of, written_moment,
    },
};
use inklings_domain::{
    conversation::message::estimated_tokens,
    forget_reason::ForgetReason,
    memory::link::{Link, LinkRole},
    text::body,
    transfer::import_source::{KnownSources, SourceEntry},
};
use inklings_formats::entries::{
    Collection, Format, FormatError, LeftBehind, ThirdPartyEntry, file_has_more_fields,
    limits::MAX_FILE_BYTES, losses, open_entries, with_firing_key, write_entries, write_folder,
    write_picture,
};
use serde_json::Value;

pub use self::book::decided;
use self::{
    book::{BookChoice, Identity, Naming, identify},
    carried::{Arrived, CarriedFields, How, RetainedFields, entry, names_of_nameless, tags_of},
    formats::{format_of, view_of},
    graph::{Exported, FileNames, kinds, put_names},
};
use crate::transfer::{CONVERSATIONS, Read, Unfinished};
use crate::{
    error::{CommandError, sentence},
    memory::import,
    system::SystemClock,
    transfer::view::{AlwaysShown, ImportBook, ImportRemark, ImportRequest, TransferCount, TransferFormat},
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

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        Ok(Box::new(Rows { rows: Arc::clone(&self.rows), next: 0 }))
    }
}

/// What is known of earlier imports of a format.
struct Earlier {
    known: KnownSources,
    /// Ids of the entries that the worldbuilder wants to be shown only when they are named.
    only_when_named: HashSet<String>,
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
    Ok((Ready { format: LINES, rows }, book))
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
    let mut earlier = Earlier { known: KnownSources::default(), only_when_named: HashSet::new() };
    for mut source in session.transfers().export_sources(&scope).await? {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut take = |rows: Vec<TransferRow>| {
                for mut row in rows {
                    let id = text_of(&row.fields, "external_id").unwrap_or_default().to_owned();
                    let carried = take_carried(&mut row.fields, format).or_else(|| {
                        let is_line = format == LINES && text_of(&row.fields, "source") == Some(LINES);
                        (is_line && !id.is_empty()).then(|| CarriedFields::of_line(OLD_LINES, 0))
                    });
                    if let Some(carried) = carried {
                        earlier.known.note(carried.place().0, &id, &carried.as_source(&row.fields, format));
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
    let kinds = kinds(&collection.entries, &called, request.scope);
    let sources = collection.entries.iter().zip(&kinds);
    let sources: Vec<SourceEntry> =
        sources.map(|(entry, kind)| carried::source_of(entry, kind.is_some())).collect();
    let Identity { book, ids } = identify(&naming, &sources, &earlier.known, choice)?;
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
    let names = FileNames::of(numbered.map(|(line, incoming)| (line, &incoming.entry)), format);
    let row = |(n, incoming): (usize, Incoming)| {
        let Incoming { entry, id, kind, how } = incoming;
        // Each file of a folder has its own modification time.
        let inside = entry.extra.get("path").and_then(Value::as_str).map(str::to_owned);
        let own_file = inside.as_deref().filter(|_| format == Format::Markdown);
        let saved = own_file.and_then(|inside| saved(&path.join(inside))).or(file_saved);
        let mut links = names.links(&entry, format);
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
            if let Some(Value::Array(aliases)) = fields.get_mut("aliases") {
                aliases.retain(|alias| !alias.as_str().is_some_and(|alias| names.is_taken(alias)));
            }
        }
        FileRow { section, line: n as u64 + 1, place: inside, fields, links }
    };
    let mut rows: Vec<FileRow> = entries.into_iter().enumerate().map(row).collect();
    rows.sort_by_key(|row| row.section);
    Ok((Ready { format: format.name(), rows: rows.into() }, book))
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

/// What an export writes.
pub(super) struct Written {
    /// Bytes; 0 if it only looked.
    pub(super) bytes: u64,
    /// Rows by kind.
    pub(super) counts: Vec<TransferCount>,
    /// What the format has no place for, by kind.
    pub(super) losses: Vec<TransferCount>,
}

/// Writes the entries in use in a third-party format, or with `dry_run` only tells what it would write.
///
/// # Errors
/// [`CommandError`] of code `invalid` for an import-only format, or a folder that is not empty.
pub(super) fn export(
    session: &Session,
    (path, data_dir): (&Path, &Path),
    (format, picture): (TransferFormat, Option<&Path>),
    (options, dry_run): (ExportOptions, bool),
    progress: &dyn TransferProgress,
    runtime: &tokio::runtime::Handle,
) -> Result<Written, CommandError> {
    let Some(format) = format_of(format).filter(|format| format.is_written()) else {
        return Err(CommandError::invalid("format", "This form can be read, but not written."));
    };
    let picture = picture.map(read_picture).transpose()?;
    let Collected { mut collection, more } = runtime.block_on(collect(session, format, options, progress))?;
    if matches!(format, Format::CharacterCard | Format::LorebookV3) {
        collection.name = Some(session.workspace.workspace.name.as_str().to_owned());
    }
    let counts = vec![TransferCount { what: "entries".to_owned(), rows: count(collection.entries.len()) }];
    let more = [
        ("other fields of their program", more.entries),
        ("settings of a whole file", more.files),
        ("times in the story", more.times),
        ("what a calendar defines", more.calendars),
        ("who knows of them, so that everybody may read them", more.secrets),
    ];
    let lost = losses(&collection.entries, format).into_iter().chain(more);
    let lost = lost.filter(|(_, rows)| *rows > 0);
    let losses =
        lost.map(|(what, rows)| TransferCount { what: what.to_owned(), rows: count(rows) }).collect();
    let written = |bytes| Written { bytes, counts, losses };
    if dry_run {
        return Ok(written(0));
    }
    if format == Format::Markdown {
        write_folder(&collection, path).map_err(|error| unreadable(&error))?;
        let files = fs::read_dir(path).map_err(TransferError::from)?;
        let bytes = files.filter_map(|file| file.ok()?.metadata().ok()).map(|data| data.len()).sum();
        return Ok(written(bytes));
    }
    let mut file = Unfinished::new(path, data_dir).map_err(TransferError::from)?;
    let put = match &picture {
        Some(picture) => write_picture(&collection, picture, &mut file.out),
        None => write_entries(&collection, format, &mut file.out),
    };
    put.map_err(|error| unreadable(&error))?;
    Ok(written(file.finish().map_err(TransferError::from)?))
}

/// The bytes of the image that a card is written into.
fn read_picture(path: &Path) -> Result<Vec<u8>, CommandError> {
    let refused = |message: String| CommandError::invalid("picture", message);
    let unusable = |error: std::io::Error| refused(format!("The picture cannot be read: {}.", error.kind()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unusable)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unusable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(refused("The picture is larger than 64 MiB.".to_owned()));
    }
    Ok(bytes)
}

/// Extracts the retained fields of another format of a row, if it came from one.
fn take_carried_of_other_format(fields: &mut Fields) -> Option<(Format, CarriedFields)> {
    let formats = fields.get_mut("foreign_fields").and_then(Value::as_object_mut)?;
    let mut known =
        formats.iter_mut().filter_map(|(name, carried)| Some((Format::from_name(name)?, carried)));
    let (format, carried) = known.next()?;
    Some((format, serde_json::from_value(carried.take()).ok()?))
}

/// Extracts the retained third-party fields of a row.
fn take_carried(fields: &mut Fields, format: &str) -> Option<CarriedFields> {
    let carried = fields.get_mut("foreign_fields").and_then(|formats| formats.get_mut(format));
    serde_json::from_value(carried?.take()).ok()
}

/// What is written in a format.
struct Collected {
    collection: Collection,
    more: More,
}

/// What entries say that no format of another program takes along.
#[derive(Default)]
struct More {
    /// Entries with fields of their program.
    entries: u64,
    /// Files with settings besides their entries.
    files: u64,
    /// Entries with a time in the story or a place in the order of reading.
    times: u64,
    /// Calendars.
    calendars: u64,
    /// Entries that not everybody knows of.
    secrets: u64,
}

async fn collect(
    session: &Session,
    format: Format,
    options: ExportOptions,
    progress: &dyn TransferProgress,
) -> Result<Collected, CommandError> {
    // Entries imported in this format come first, in their original order.
    let mut entries: Vec<((bool, String, u64), Exported)> = Vec::new();
    let mut files: BTreeMap<String, Value> = BTreeMap::new();
    let mut more = More::default();
    let mut files_elsewhere: HashSet<(Format, String)> = HashSet::new();
    for mut source in session.transfers().export_sources(&options.scope).await? {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut take = |rows: Vec<TransferRow>| {
                for mut row in rows {
                    let mut carried = take_carried(&mut row.fields, format.name());
                    let file = carried.as_mut().and_then(|carried| carried.file.take());
                    let (book, at) = carried.as_ref().map(CarriedFields::place).unzip();
                    let book = book.unwrap_or_default().to_owned();
                    if let Some(file) = file
                        && forget_reason(&row.fields) != Some(ForgetReason::CreationUndone)
                    {
                        files.entry(book.clone()).or_insert(file);
                    }
                    let place = (at.is_none(), book, at.unwrap_or_default());
                    let is_from_here = carried.is_some();
                    let elsewhere =
                        if is_from_here { None } else { take_carried_of_other_format(&mut row.fields) };
                    let has_more_fields = elsewhere
                        .as_ref()
                        .is_some_and(|(from, carried)| carried.has_more_fields(&row.fields, *from));
                    let whole_file = elsewhere.as_ref().and_then(|(from, carried)| {
                        let has_more_fields = file_has_more_fields(carried.file.as_ref()?);
                        has_more_fields.then(|| (*from, carried.place().0.to_owned()))
                    });
                    let carried = carried
                        .map(RetainedFields::SameFormat)
                        .or_else(|| elsewhere.map(|(_, carried)| RetainedFields::OtherFormat(carried)));
                    let Some(mut made) = entry(&row.fields, section, carried, format) else { continue };
                    more.entries += u64::from(has_more_fields);
                    let has = |fields: &[&str]| fields.iter().any(|field| row.fields.contains_key(*field));
                    more.times += u64::from(has(&["holds_from", "holds_until", "reading_number"]));
                    more.calendars += u64::from(has(&["calendar"]));
                    let is_knower = |link: &Link| link.role == LinkRole::KnownBy;
                    more.secrets += u64::from(links_in(&row.fields).iter().any(is_knower));
                    files_elsewhere.extend(whole_file);
                    if format.needs_keys() && !is_from_here {
                        made = with_firing_key(made);
                    }
                    entries.push((place, Exported::new(made, &row.fields)));
                }
                progress.report(entries.len() as u64, 0, section.name());
                if progress.cancelled() { Err(TransferError::Cancelled) } else { Ok(()) }
            };
            source.pages(section, PAGE, false, &mut take).await?;
        }
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut entries: Vec<Exported> = entries.into_iter().map(|(_, entry)| entry).collect();
    put_names(&mut entries, format);
    let mut collection =
        Collection::new(format, entries.into_iter().map(|exported| exported.entry).collect());
    for extra in files.into_values() {
        collection.take_in(extra);
    }
    more.files = files_elsewhere.len() as u64;
    Ok(Collected { collection, more })
}
