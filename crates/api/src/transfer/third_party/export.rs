//! Export of the entries in use in a format of another program, with what it has no place for.

use std::{
    collections::{BTreeMap, HashSet},
    fs::{self, File},
    io::Read as _,
    path::Path,
};

use inklings_application::{session::Session, transfer::ExportOptions};
use inklings_domain::{
    forget_reason::ForgetReason,
    memory::link::{Link, LinkRole},
};
use inklings_formats::entries::{
    Collection, Format, file_has_more_fields, limits::MAX_FILE_BYTES, losses, with_firing_key, write_entries,
    write_folder, write_picture,
};
use inklings_ports::transfer::{
    fields::forget_reason,
    file::{TransferError, TransferProgress},
    links::links_in,
    shape::Section,
    store::{Fields, TransferRow},
};
use serde_json::Value;

use super::{
    PAGE,
    carried::{CarriedFields, RetainedFields, entry},
    formats::format_of,
    graph::{Exported, put_names},
    knowers::KnowerNames,
    pages::pages_of_graph,
    take_carried, unreadable,
};
use crate::{
    error::CommandError,
    transfer::{
        Unfinished,
        view::{TransferCount, TransferFormat},
    },
    wire::count,
};

/// What an export writes.
pub struct Written {
    /// Bytes; 0 if it only looked.
    pub bytes: u64,
    /// Rows by kind.
    pub counts: Vec<TransferCount>,
    /// What the format has no place for, by kind.
    pub losses: Vec<TransferCount>,
}

/// Writes the entries in use in a third-party format, or with `dry_run` only tells what it would write.
///
/// # Errors
/// [`CommandError`] of code `invalid` for an import-only format, or a folder that is not empty.
pub fn export(
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
        ("since when somebody knows of them", more.times_of_knowers),
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

/// True for a subject of which the file that is written says no more than its name, and which nobody changed since.
fn is_only_a_knower(carried: Option<&RetainedFields>, row: &Fields) -> bool {
    let untouched = row.get("version").and_then(Value::as_u64) == Some(1);
    let is_named = matches!(carried, Some(RetainedFields::SameFormat(carried)) if carried.is_only_a_knower());
    untouched && is_named
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
    calendars: u64,
    /// Entries that not everybody knows of.
    secrets: u64,
    /// Entries that somebody knows of since a time.
    times_of_knowers: u64,
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
                    if is_only_a_knower(carried.as_ref(), &row.fields) {
                        continue;
                    }
                    let Some(mut made) = entry(&row.fields, section, carried, format) else { continue };
                    more.entries += u64::from(has_more_fields);
                    let has = |fields: &[&str]| fields.iter().any(|field| row.fields.contains_key(*field));
                    more.times += u64::from(has(&["holds_from", "holds_until", "reading_number"]));
                    more.calendars += u64::from(has(&["calendar"]));
                    let is_knower = |link: &Link| link.role == LinkRole::KnownBy;
                    let links = links_in(&row.fields);
                    let is_secret = links.iter().any(is_knower);
                    more.secrets += u64::from(is_secret && !format.has_knowers());
                    let has_times = format.has_knowers() && !format.has_times_of_knowers();
                    let since = has_times && links.iter().any(|link| link.since.is_some());
                    more.times_of_knowers += u64::from(since);
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
    KnowerNames::of(session, &entries).await?.put(&mut entries, format);
    let mut collection =
        Collection::new(format, entries.into_iter().map(|exported| exported.entry).collect());
    for extra in files.into_values() {
        collection.take_in(extra);
    }
    let scope = &options.scope;
    if format == Format::GraphMl && scope.workspace && scope.channel.is_none() && scope.conversation.is_none()
    {
        collection.entries.extend(pages_of_graph(session).await?);
    }
    more.files = files_elsewhere.len() as u64;
    Ok(Collected { collection, more })
}
