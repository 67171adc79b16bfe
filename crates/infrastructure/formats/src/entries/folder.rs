//! Reads and writes folders of Markdown files.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File, OpenOptions},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use inklings_domain::vault::is_drawing;
pub use inklings_domain::vault::is_page as is_markdown;
use serde_json::{Map, Value};

use super::{
    Collection, Format, FormatError, LeftBehind, Spot, ThirdPartyEntry,
    builder::Builder,
    codex,
    limits::{MAX_FOLDERS, MAX_TOTAL_BYTES, TOGETHER},
    markdown::{self, MAX_NOTE_BYTES},
    split, tree,
};
use crate::text::Tally;

fn io(error: &std::io::Error) -> FormatError {
    FormatError::io(error)
}

/// Folder of Obsidian's settings, which makes a folder a vault.
const SETTINGS: &str = ".obsidian";
/// Folder of the notes that were deleted in Obsidian.
const TRASH: &str = ".trash";

/// What a file that is no note is.
fn kind_of(path: &str) -> &'static str {
    if is_drawing(path) {
        return "drawing";
    }
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("canvas")) {
        return "canvas";
    }
    match codex::kind_of(path) {
        "picture" => "picture",
        _ => "attachment",
    }
}

/// What is left behind of a vault besides its attachments.
fn left_of_vault(folder: &Path) -> Result<Vec<LeftBehind>, FormatError> {
    let mut left = vec![LeftBehind { what: "settings", path: SETTINGS.to_owned() }];
    if folder.join(TRASH).is_dir() {
        let mut paths = Vec::new();
        tree::walk(folder, TRASH, 0, &mut paths, &mut Tally::default())?;
        paths.sort();
        left.extend(paths.into_iter().map(|path| LeftBehind { what: "deleted note", path }));
    }
    Ok(left)
}

/// Reads a folder, also a vault of Obsidian. A damaged file refuses itself alone.
///
/// # Errors
/// [`FormatError::UnknownFormat`] for a folder without a Markdown file, [`FormatError::TooLarge`] if the files together
/// are, and the error of the first file if none can be read.
pub fn read(folder: &Path) -> Result<Collection, FormatError> {
    let mut tally = Tally::default();
    let mut paths = Vec::new();
    tree::walk(folder, "", 0, &mut paths, &mut tally)?;
    paths.sort();
    let is_note = |path: &String| is_markdown(path) && !is_drawing(path);
    let (paths, others): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_note);
    if paths.is_empty() {
        return Err(FormatError::UnknownFormat);
    }
    let mut book = Builder::new(Format::Markdown, tally);
    book.name = folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    book.left_behind = others.into_iter().map(|path| LeftBehind { what: kind_of(&path), path }).collect();
    if folder.join(SETTINGS).is_dir() {
        book.left_behind.extend(left_of_vault(folder)?);
    }
    let mut left = MAX_TOTAL_BYTES;
    for (place, path) in paths.iter().enumerate() {
        let mut one = || {
            let mut bytes = Vec::new();
            let file = File::open(folder.join(path)).map_err(|error| io(&error))?;
            file.take(MAX_NOTE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| io(&error))?;
            left = left
                .checked_sub(bytes.len() as u64)
                .ok_or_else(|| FormatError::large(Spot::default(), TOGETHER))?;
            let entry = markdown::read(path, &bytes, &mut book.tally)?;
            split::parts(entry).into_iter().try_for_each(|part| book.push(part))
        };
        if let Err(error) = one() {
            book.damaged(error.in_file(place + 1, path), path)?;
        }
    }
    book.finish(Map::new())
}

/// Writes a new or empty folder, completely or not at all.
///
/// # Errors
/// [`FormatError::NotEmpty`], [`FormatError::Io`].
pub fn write(book: &Collection, folder: &Path) -> Result<(), FormatError> {
    match fs::read_dir(folder) {
        Ok(mut inside) => {
            if inside.next().is_some() {
                return Err(FormatError::NotEmpty);
            }
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(io(&error)),
    }
    let stage = stage(folder)?;
    let written = fill(book, &stage).and_then(|()| {
        // An existing empty folder is the selected destination.
        let _ = fs::remove_dir(folder);
        fs::rename(&stage, folder).map_err(|error| io(&error))
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&stage);
    }
    written
}

/// Creates a temporary folder next to the destination.
fn stage(folder: &Path) -> Result<PathBuf, FormatError> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("export");
    let mut last = None;
    for number in 0..100 {
        let stage = folder.with_file_name(format!(".{name}.{number}.part"));
        match fs::create_dir(&stage) {
            Ok(()) => return Ok(stage),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(io(&error)),
        }
    }
    Err(last.map_or(FormatError::NotEmpty, |error| io(&error)))
}

fn fill(book: &Collection, stage: &Path) -> Result<(), FormatError> {
    let entries = split::joined(&book.entries);
    for (path, entry) in paths(&entries).into_iter().zip(&entries) {
        let file = stage.join(&path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent).map_err(|error| io(&error))?;
        }
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(file).map_err(|error| io(&error))?;
        file.write_all(&markdown::write(&path, entry)).map_err(|error| io(&error))?;
        file.sync_all().map_err(|error| io(&error))?;
    }
    Ok(())
}

/// A path for each entry, in order: its original path, or one made from its title or the beginning of its text. Paths are
/// unique ignoring case, and none leads out of the folder.
pub fn paths(entries: &[ThirdPartyEntry]) -> Vec<String> {
    let path_in_file = |entry: &ThirdPartyEntry| {
        let path = entry.extra.get("path").and_then(Value::as_str)?;
        is_safe(path).then(|| path.to_owned())
    };
    let mut taken = Taken::default();
    // Entries with an original path keep it; the others avoid those paths.
    let mut paths: Vec<Option<String>> =
        entries.iter().map(|entry| path_in_file(entry).filter(|path| taken.take(path))).collect();
    // The next number for a repeated title, so that many equal titles take linear time.
    let mut twins = HashMap::new();
    for (path, entry) in paths.iter_mut().zip(entries) {
        if path.is_none() {
            let stem = stem(&entry.called());
            let mut name = format!("{stem}.md");
            let twin = twins.entry(stem.to_lowercase()).or_insert(2_usize);
            while !taken.take(&name) {
                name = format!("{stem} {twin}.md");
                *twin += 1;
            }
            *path = Some(name);
        }
    }
    paths.into_iter().flatten().collect()
}

/// The paths of existing files and folders, ignoring case.
#[derive(Default)]
struct Taken {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl Taken {
    fn take(&mut self, path: &str) -> bool {
        let path = inklings_domain::text::fold(path);
        let folders: Vec<String> = path.match_indices('/').map(|(at, _)| path[..at].to_owned()).collect();
        let blocked = folders.iter().any(|folder| self.files.contains(folder));
        if blocked || self.folders.contains(&path) || !self.files.insert(path) {
            return false;
        }
        self.folders.extend(folders);
        true
    }
}

/// Maximum bytes of a file name without number and extension; systems allow 255 in total.
const MAX_STEM_BYTES: usize = 120;

/// Characters that are forbidden or special in file names on some system.
fn is_bad(c: char) -> bool {
    c.is_control()
        || inklings_domain::text::is_bidi_control(c)
        || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '\u{FFFD}')
}

fn is_reserved(stem: &str) -> bool {
    let stem = stem.split('.').next().unwrap_or(stem).trim_end().to_ascii_lowercase();
    let port = |name| stem.strip_prefix(name).is_some_and(|rest: &str| rest.chars().count() == 1);
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || port("com") || port("lpt")
}

/// Makes a file name without extension from a title.
pub fn stem(title: &str) -> String {
    let clean: String = title.chars().map(|c| if is_bad(c) { ' ' } else { c }).collect();
    let clean = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut stem = clean.trim_matches(['.', ' ']).to_owned();
    if stem.len() > MAX_STEM_BYTES {
        let end = (0..=MAX_STEM_BYTES).rev().find(|end| stem.is_char_boundary(*end)).unwrap_or(0);
        stem.truncate(end);
        stem.truncate(stem.trim_end_matches(['.', ' ']).len());
    }
    if stem.is_empty() {
        return "note".to_owned();
    }
    if is_reserved(&stem) { format!("{stem}_") } else { stem }
}

/// True for the name of a file or folder that every system takes.
pub fn is_safe_step(step: &str) -> bool {
    !step.is_empty()
        && step.len() <= 250
        && !step.starts_with('.')
        && !step.ends_with(['.', ' '])
        && !step.chars().any(is_bad)
        && !is_reserved(step)
}

/// True for a path to a Markdown file inside the folder on every system.
fn is_safe(path: &str) -> bool {
    let steps: Vec<&str> = path.split('/').collect();
    path.len() <= 1000
        && steps.len() <= MAX_FOLDERS
        && is_markdown(path)
        && steps.into_iter().all(is_safe_step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_safe_and_stay_inside_the_folder() {
        for (title, expected) in [
            ("Ama", "Ama"),
            ("../../etc/passwd", "etc passwd"),
            ("..", "note"),
            ("CON", "CON_"),
            ("com1.x", "com1.x_"),
            ("a\0b\u{202E}c", "a b c"),
            ("Who? \"Ama\"", "Who Ama"),
            (" . ", "note"),
        ] {
            assert_eq!(stem(title), expected, "{title:?}");
        }
        assert!(stem(&"ä".repeat(500)).len() <= MAX_STEM_BYTES);
        for bad in [
            "",
            "/a.md",
            "../a.md",
            "a/../b.md",
            "a//b.md",
            "C:/a.md",
            "a\\b.md",
            ".a.md",
            "a.txt",
            "con.md",
            "a /b.md",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
        assert!(is_safe("people/Ama the queen.md"));
    }

    #[test]
    fn names_that_differ_only_in_case_get_different_files() {
        let named =
            |name: &str| ThirdPartyEntry { name: Some(name.to_owned()), ..ThirdPartyEntry::default() };
        assert_eq!(paths(&[named("Ama"), named("AMA"), named("ama")]), ["Ama.md", "AMA 2.md", "ama 3.md"]);
    }
}
