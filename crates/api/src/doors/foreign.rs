//! Entries of other programs: into the one pipeline of imports, and out of the one reading of exports.

use std::{fs::File, io::BufReader, path::Path};

use inklings_application::{
    ports::transfer_store::{Fields, Within},
    session::Session,
    transfer::{
        ExportOptions, FileError, FileRow, FileRows, FileSource, SWITCHED_OFF, TransferError,
        TransferProgress, read_moment, shape::Section, written_moment,
    },
};
use inklings_formats::entries::{
    Collection, ForeignEntry, Format, FormatError, open_entries, write_entries, write_folder,
};
use serde_json::{Value, json};

use super::transfer::Beside;
use crate::{
    error::{CommandError, sentence},
    import,
    views::{
        count,
        doors_transfer::{TransferCount, TransferFormat},
    },
};

/// Tags that an entry may have, and their characters: what is more is left out rather than the entry.
const TAGS: usize = 32;
const TAG_CHARS: usize = 64;
/// Rows read at a time.
const PAGE: usize = 200;

const fn format_of(format: TransferFormat) -> Option<Format> {
    Some(match format {
        TransferFormat::Sillytavern => Format::SillyTavern,
        TransferFormat::CharacterCard => Format::CharacterCard,
        TransferFormat::LorebookV3 => Format::LorebookV3,
        TransferFormat::Novelai => Format::NovelAi,
        TransferFormat::Novelcrafter => Format::Novelcrafter,
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
        Format::ClaudeMemories => TransferFormat::ClaudeMemories,
        Format::Mem0 => TransferFormat::Mem0,
        Format::McpJsonl => TransferFormat::McpJsonl,
        Format::Markdown => TransferFormat::Markdown,
    }
}

fn unreadable(error: &FormatError) -> CommandError {
    CommandError::invalid("path", sentence(&error.to_string()))
}

/// Rows that are in memory: what other programs keep is small, and their readers bound it.
struct Ready {
    format: &'static str,
    rows: Vec<FileRow>,
}

struct Rows {
    rows: std::vec::IntoIter<FileRow>,
    total: u64,
}

impl Iterator for Rows {
    type Item = Result<FileRow, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rows.next().map(Ok)
    }
}

impl FileRows for Rows {
    fn progress(&self) -> (u64, u64) {
        (self.total - self.rows.len() as u64, self.total)
    }
}

impl FileSource for Ready {
    fn format(&self) -> &'static str {
        self.format
    }

    fn rows(&self) -> Result<Box<dyn FileRows>, TransferError> {
        Ok(Box::new(Rows { total: self.rows.len() as u64, rows: self.rows.clone().into_iter() }))
    }
}

/// The entries of a file or folder of another program, and its format.
///
/// # Errors
/// [`CommandError`] of code `invalid`, field `path`, with the place.
pub fn source(
    path: &Path,
    format: Option<TransferFormat>,
) -> Result<(Box<dyn FileSource>, TransferFormat), CommandError> {
    if format == Some(TransferFormat::Jsonl) {
        return Ok((Box::new(lines(path)?), TransferFormat::Jsonl));
    }
    match open_entries(path, format.and_then(format_of)) {
        Ok(collection) => {
            let format = view_of(collection.format);
            Ok((Box::new(ready(collection, path)), format))
        }
        // Lines of plain JSON are known by being readable as such.
        Err(error) if format.is_none() && path.is_file() => match lines(path) {
            Ok(ready) if !ready.rows.is_empty() => Ok((Box::new(ready), TransferFormat::Jsonl)),
            _ => Err(unreadable(&error)),
        },
        Err(error) => Err(unreadable(&error)),
    }
}

fn lines(path: &Path) -> Result<Ready, CommandError> {
    let file = File::open(path).map_err(TransferError::from)?;
    let items = import::items(BufReader::new(file))?;
    let row = |item: inklings_application::memory::import::ImportItem| {
        let mut fields = Fields::new();
        fields.insert("content".into(), item.content.into());
        fields.insert("tags".into(), tags(item.tags));
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
        FileRow { section: Section::Memories, line: item.line as u64, fields }
    };
    Ok(Ready { format: "jsonl", rows: items.into_iter().map(row).collect() })
}

fn tags(given: Vec<String>) -> Value {
    let short =
        given.into_iter().filter(|tag| tag.chars().count() <= TAG_CHARS && !tag.contains(char::is_control));
    short.take(TAGS).collect::<Vec<_>>().into()
}

/// A number for a text, the same in every release (FNV-1a).
fn mark(texts: &[&str]) -> u64 {
    texts
        .iter()
        .flat_map(|text| text.bytes().chain([0]))
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn ready(collection: Collection, path: &Path) -> Ready {
    let format = collection.format.name();
    // Two books number their entries alike: the book's name tells them apart.
    let book = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let row = |(n, entry): (usize, ForeignEntry)| {
        let own = entry.external_id.clone().unwrap_or_else(|| {
            format!("{:016x}", mark(&[entry.title().unwrap_or_default(), &entry.content]))
        });
        let mut fields = Fields::new();
        fields.insert("external_id".into(), format!("{format}:{book}:{own}").into());
        let kept = json!({ "id": entry.external_id, "name": entry.name, "aliases": entry.aliases, "tags": entry.tags, "extra": entry.extra });
        fields.insert("foreign_fields".into(), json!({ format: kept }));
        let mut words = entry.tags;
        if entry.standing
            && let Some(name) = entry.name.clone().or_else(|| entry.aliases.first().cloned())
        {
            let aliases: Vec<String> = entry.aliases.into_iter().filter(|alias| *alias != name).collect();
            fields.insert("name".into(), name.into());
            fields.insert("aliases".into(), aliases.into());
            fields.insert("importance".into(), entry.importance.unwrap_or(1.0).into());
        } else {
            words.extend(entry.name);
            words.extend(entry.aliases);
            fields.insert("importance".into(), entry.importance.into());
        }
        fields.insert("tags".into(), tags(words));
        fields.insert("content".into(), entry.content.into());
        fields.insert("enabled".into(), entry.enabled.into());
        fields.insert("created_at".into(), entry.created.map(written_moment).into());
        fields.insert("updated_at".into(), entry.updated.map(written_moment).into());
        let section = if fields.contains_key("name") { Section::NamedEntries } else { Section::Memories };
        FileRow { section, line: n as u64 + 1, fields }
    };
    let mut rows: Vec<FileRow> = collection.entries.into_iter().enumerate().map(row).collect();
    rows.sort_by_key(|row| row.section);
    Ready { format, rows }
}

fn text<'f>(fields: &'f Fields, name: &str) -> Option<&'f str> {
    fields.get(name).and_then(Value::as_str)
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// An entry of ours as another program has it; `None` for one that is out of use here.
fn entry(fields: &Fields, section: Section, format: Format) -> Option<ForeignEntry> {
    let enabled = match text(fields, "forgotten_reason") {
        None => true,
        Some(SWITCHED_OFF) => false,
        Some(_) => return None,
    };
    let kept = fields.get("foreign_fields").and_then(|formats| formats.get(format.name()));
    let kept_text =
        |name: &str| kept.and_then(|kept| kept.get(name)).and_then(Value::as_str).map(str::to_owned);
    let standing = section == Section::NamedEntries;
    let (name, aliases) = if standing {
        (text(fields, "name").map(str::to_owned), texts(fields.get("aliases")))
    } else {
        (kept_text("name"), texts(kept.and_then(|kept| kept.get("aliases"))))
    };
    let tags = match kept {
        Some(kept) => texts(kept.get("tags")),
        None => texts(fields.get("tags")),
    };
    Some(ForeignEntry {
        external_id: kept_text("id").or_else(|| text(fields, "id").map(str::to_owned)),
        name,
        aliases,
        content: text(fields, "content").unwrap_or_default().to_owned(),
        tags,
        importance: fields.get("importance").and_then(Value::as_f64),
        standing,
        enabled,
        created: text(fields, "created_at").and_then(read_moment),
        updated: text(fields, "updated_at").and_then(read_moment),
        extra: kept.and_then(|kept| kept.get("extra")).cloned().unwrap_or_default(),
    })
}

/// Writes the entries in use in a form of another program. Gives the bytes of the file and what is in it.
///
/// # Errors
/// [`CommandError`] of code `invalid` for a form that is only read, or a folder that holds something already.
pub fn export(
    session: &Session,
    path: &Path,
    format: TransferFormat,
    options: ExportOptions,
    progress: &dyn TransferProgress,
    runtime: &tokio::runtime::Handle,
) -> Result<(u64, Vec<TransferCount>), CommandError> {
    let Some(format) = format_of(format).filter(|format| format.is_written()) else {
        return Err(CommandError::invalid("format", "This form can be read, but not written."));
    };
    let entries = runtime.block_on(collect(session, format, options, progress))?;
    let written = vec![TransferCount { what: "entries".to_owned(), rows: count(entries.len()) }];
    let collection = Collection::new(format, entries);
    if format == Format::Markdown {
        write_folder(&collection, path).map_err(|error| unreadable(&error))?;
        let files = std::fs::read_dir(path).map_err(TransferError::from)?;
        let bytes = files.filter_map(|file| file.ok()?.metadata().ok()).map(|data| data.len()).sum();
        return Ok((bytes, written));
    }
    let mut file = Beside::new(path).map_err(TransferError::from)?;
    write_entries(&collection, format, &mut file.out).map_err(|error| unreadable(&error))?;
    Ok((file.keep().map_err(TransferError::from)?, written))
}

async fn collect(
    session: &Session,
    format: Format,
    options: ExportOptions,
    progress: &dyn TransferProgress,
) -> Result<Vec<ForeignEntry>, CommandError> {
    let mut sources = Vec::new();
    if let Some(within) = options.scope.within() {
        sources.push((within, session.workspace.transfer.snapshot().await?));
    }
    if options.scope.account {
        sources.push((Within::All, session.account.transfer.snapshot().await?));
    }
    if sources.is_empty() {
        return Err(TransferError::NothingChosen.into());
    }
    let mut entries = Vec::new();
    for (within, mut snapshot) in sources {
        for section in [Section::Memories, Section::NamedEntries] {
            let mut after: Option<Vec<String>> = None;
            loop {
                let rows = snapshot.page(section, within, after.as_deref(), PAGE, false).await?;
                let Some(last) = rows.last() else { break };
                after = Some(last.key.clone());
                entries.extend(rows.iter().filter_map(|row| entry(&row.fields, section, format)));
                progress.report(entries.len() as u64, 0, section.name());
                if progress.cancelled() {
                    return Err(TransferError::Cancelled.into());
                }
            }
        }
    }
    Ok(entries)
}
