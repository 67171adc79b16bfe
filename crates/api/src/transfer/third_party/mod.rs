//! Import and export of third-party formats, through the common import pipeline and the common export reader.

mod carried;

use std::{
    collections::BTreeMap,
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
        ExportOptions, ExportScope, FileError, FileRow, FileRows, FileSource, TransferError,
        TransferProgress, forget_reason,
        shape::Section,
        store::{Fields, TransferRow},
        written_moment,
    },
};
use inklings_domain::{forget_reason::ForgetReason, text::body, transfer::import_source::KnownSources};
use inklings_formats::entries::{
    Collection, Format, FormatError, LeftBehind, ThirdPartyEntry, limits::MAX_FILE_BYTES, losses,
    open_entries, with_firing_key, write_entries, write_folder, write_picture,
};
use serde_json::Value;

use self::carried::{Arrived, CarriedFields, Kept, entry, names_of_nameless, tags_of};
use crate::transfer::{CONVERSATIONS, Read, Unfinished};
use crate::{
    error::{CommandError, sentence},
    memory::import,
    system::SystemClock,
    transfer::view::{ImportRemark, TransferCount, TransferFormat},
    wire::count,
};

/// Page size for reading rows.
const PAGE: usize = 200;
/// Number of entries that carry the data of their file.
const CARRIERS: usize = 3;

const fn format_of(format: TransferFormat) -> Option<Format> {
    Some(match format {
        TransferFormat::Sillytavern => Format::SillyTavern,
        TransferFormat::CharacterCard => Format::CharacterCard,
        TransferFormat::LorebookV3 => Format::LorebookV3,
        TransferFormat::Novelai => Format::NovelAi,
        TransferFormat::Novelcrafter => Format::Novelcrafter,
        TransferFormat::AiDungeon => Format::AiDungeon,
        TransferFormat::JanitorAi => Format::JanitorAi,
        TransferFormat::Risu => Format::Risu,
        TransferFormat::KoboldAi => Format::KoboldAi,
        TransferFormat::Agnai => Format::Agnai,
        TransferFormat::Letta => Format::Letta,
        TransferFormat::ClaudeMemories => Format::ClaudeMemories,
        TransferFormat::Mem0 => Format::Mem0,
        TransferFormat::McpJsonl => Format::McpJsonl,
        TransferFormat::Markdown => Format::Markdown,
        TransferFormat::Inklings | TransferFormat::Jsonl => return None,
    })
}

const fn view_of(format: Format) -> TransferFormat {
    match format {
        Format::SillyTavern => TransferFormat::Sillytavern,
        Format::CharacterCard => TransferFormat::CharacterCard,
        Format::LorebookV3 => TransferFormat::LorebookV3,
        Format::NovelAi => TransferFormat::Novelai,
        Format::Novelcrafter => TransferFormat::Novelcrafter,
        Format::AiDungeon => TransferFormat::AiDungeon,
        Format::JanitorAi => TransferFormat::JanitorAi,
        Format::Risu => TransferFormat::Risu,
        Format::KoboldAi => TransferFormat::KoboldAi,
        Format::Agnai => TransferFormat::Agnai,
        Format::Letta => TransferFormat::Letta,
        Format::ClaudeMemories => TransferFormat::ClaudeMemories,
        Format::Mem0 => TransferFormat::Mem0,
        Format::McpJsonl => TransferFormat::McpJsonl,
        Format::Markdown => TransferFormat::Markdown,
    }
}

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

/// Reads the entries of a third-party file or folder. Compares them with earlier imports to detect which file
/// it continues.
///
/// # Errors
/// [`CommandError`] of code `invalid`, field `path`, with the position.
pub fn source(
    path: &Path,
    format: Option<TransferFormat>,
    session: &Session,
    runtime: &tokio::runtime::Handle,
) -> Result<Opened, CommandError> {
    let plain = |ready| Opened { source: Box::new(ready), read: Read::of(TransferFormat::Jsonl) };
    if format == Some(TransferFormat::Jsonl) {
        return Ok(plain(lines(path)?));
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
            let read = Read { format: view_of(collection.format), remarks: remarks.collect(), left_behind };
            let known = runtime.block_on(known_sources(session, collection.format))?;
            Ok(Opened { source: Box::new(ready(collection, path, &known)), read })
        }
        // Plain JSON Lines have no marker; they are detected by parsing them.
        Err(error) if format.is_none() && path.is_file() => match lines(path) {
            Ok(ready) if !ready.rows.is_empty() => Ok(plain(ready)),
            _ if inklings_formats::open(path).is_ok() => {
                Err(CommandError::invalid("path", "These are conversations: they are brought in as such."))
            }
            _ => Err(unreadable(&error)),
        },
        Err(error) => Err(unreadable(&error)),
    }
}

fn lines(path: &Path) -> Result<Ready, CommandError> {
    let file = File::open(path).map_err(TransferError::from)?;
    let items = import::items(BufReader::new(file))?;
    let saved = saved(path);
    let row = |item: ImportItem| {
        let mut fields = Fields::new();
        fields.insert("content".into(), item.content.into());
        fields.insert("title".into(), item.title.into());
        fields.insert("keys".into(), item.keys.into());
        fields.insert("tags".into(), tags_of(&item.tags).into());
        let origin = item.origin;
        for (name, value) in [
            ("external_id", origin.external_id),
            ("session", origin.session),
            ("speaker", origin.speaker),
            ("said_at", origin.said_at),
        ] {
            fields.insert(name.into(), value.into());
        }
        fields.insert("importance".into(), item.importance.into());
        date(&mut fields, (None, None), saved);
        FileRow {
            section: Section::Memories,
            line: item.line as u64,
            place: Some(format!("line {}", item.line)),
            fields,
        }
    };
    Ok(Ready { format: "jsonl", rows: items.into_iter().map(row).collect() })
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

/// Sources of all earlier imports of a format, including undone ones.
async fn known_sources(session: &Session, format: Format) -> Result<KnownSources, CommandError> {
    let scope = ExportScope { account: true, workspace: true, channel: None, conversation: None };
    let mut known = KnownSources::default();
    for mut source in session.transfers().export_sources(&scope).await? {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut take = |rows: Vec<TransferRow>| {
                for mut row in rows {
                    if let Some(kept) = kept_of(&mut row.fields, format) {
                        known.note(kept.place().0, &kept.as_source(&row.fields, format.name()));
                    }
                }
                Ok(())
            };
            source.pages(section, PAGE, false, &mut take).await?;
        }
    }
    Ok(known)
}

fn ready(collection: Collection, path: &Path, known: &KnownSources) -> Ready {
    let format = collection.format;
    // Two books can number their entries alike and two files can have the same name, so the content
    // distinguishes them.
    let name = path.file_stem().map(|stem| stem.to_string_lossy().replace(char::is_control, " "));
    let arrived = |entry: &ThirdPartyEntry| Arrived::new(entry.clone(), "", 0, None).into_source();
    let book =
        known.key_of(&name.unwrap_or_default(), &collection.entries.iter().map(arrived).collect::<Vec<_>>());
    let file_saved = saved(path);
    let file = collection.extra;
    let says_more = file.as_object().is_some_and(|extra| !extra.is_empty());
    let mut carriers = if says_more { CARRIERS } else { 0 };
    let called = names_of_nameless(&collection.entries);
    let row = |(n, (entry, called)): (usize, (ThirdPartyEntry, Option<String>))| {
        // Each file of a folder has its own modification time.
        let inside = entry.extra.get("path").and_then(Value::as_str).map(str::to_owned);
        let own_file = inside.as_deref().filter(|_| format == Format::Markdown);
        let saved = own_file.and_then(|inside| saved(&path.join(inside))).or(file_saved);
        let Arrived { mut kept, here, own_id, enabled } = Arrived::new(entry, &book, n as u64, called);
        let mut fields = Fields::new();
        fields.insert("external_id".into(), format!("{}:{book}:{own_id}", format.name()).into());
        date(&mut fields, kept.times(), saved);
        let fits = body(&here.content).is_ok_and(|body| !body.is_empty() || here.name.is_some());
        if fits && carriers > 0 {
            carriers -= 1;
            kept.file = Some(file.clone());
        }
        // All keys are strings, so this cannot fail; if it did, losing the retained fields is better than
        // losing the entry.
        let kept = serde_json::to_value(kept).unwrap_or_default();
        let formats = Fields::from_iter([(format.name().to_owned(), kept)]);
        fields.insert("foreign_fields".into(), formats.into());
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
        FileRow { section, line: n as u64 + 1, place: inside, fields }
    };
    let mut rows: Vec<FileRow> = collection.entries.into_iter().zip(called).enumerate().map(row).collect();
    rows.sort_by_key(|row| row.section);
    Ready { format: format.name(), rows: rows.into() }
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
    let mut collection = runtime.block_on(collect(session, format, options, progress))?;
    if matches!(format, Format::CharacterCard | Format::LorebookV3) {
        collection.name = Some(session.workspace.workspace.name.as_str().to_owned());
    }
    let counts = vec![TransferCount { what: "entries".to_owned(), rows: count(collection.entries.len()) }];
    let lost = losses(&collection.entries, format).into_iter();
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
    Ok(written(file.keep().map_err(TransferError::from)?))
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
fn kept_elsewhere(fields: &mut Fields) -> Option<CarriedFields> {
    let formats = fields.get_mut("foreign_fields").and_then(Value::as_object_mut)?;
    let found = formats.iter_mut().find(|(name, _)| Format::from_name(name).is_some());
    serde_json::from_value(found?.1.take()).ok()
}

/// Extracts the retained third-party fields of a row.
fn kept_of(fields: &mut Fields, format: Format) -> Option<CarriedFields> {
    let kept = fields.get_mut("foreign_fields").and_then(|formats| formats.get_mut(format.name()));
    serde_json::from_value(kept?.take()).ok()
}

async fn collect(
    session: &Session,
    format: Format,
    options: ExportOptions,
    progress: &dyn TransferProgress,
) -> Result<Collection, CommandError> {
    // Entries imported in this format come first, in their original order.
    let mut entries: Vec<((bool, String, u64), ThirdPartyEntry)> = Vec::new();
    let mut files: BTreeMap<String, Value> = BTreeMap::new();
    for mut source in session.transfers().export_sources(&options.scope).await? {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut take = |rows: Vec<TransferRow>| {
                for mut row in rows {
                    let mut kept = kept_of(&mut row.fields, format);
                    let file = kept.as_mut().and_then(|kept| kept.file.take());
                    let (book, at) = kept.as_ref().map(CarriedFields::place).unzip();
                    let book = book.unwrap_or_default().to_owned();
                    if let Some(file) = file
                        && forget_reason(&row.fields) != Some(ForgetReason::CreationUndone)
                    {
                        files.entry(book.clone()).or_insert(file);
                    }
                    let place = (at.is_none(), book, at.unwrap_or_default());
                    let kept = match kept {
                        Some(kept) => Some(Kept::Here(kept)),
                        None => kept_elsewhere(&mut row.fields).map(Kept::Elsewhere),
                    };
                    let is_from_here = matches!(kept, Some(Kept::Here(_)));
                    let Some(mut made) = entry(&row.fields, section, kept) else { continue };
                    if format.needs_keys() && !is_from_here {
                        made = with_firing_key(made);
                    }
                    entries.push((place, made));
                }
                progress.report(entries.len() as u64, 0, section.name());
                if progress.cancelled() { Err(TransferError::Cancelled) } else { Ok(()) }
            };
            source.pages(section, PAGE, false, &mut take).await?;
        }
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let mut collection = Collection::new(format, entries.into_iter().map(|(_, entry)| entry).collect());
    for extra in files.into_values() {
        collection.take_in(extra);
    }
    Ok(collection)
}
