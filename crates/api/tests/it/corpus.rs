//! Generated files go into a workspace each and out again, through the store: equal in every field. What is no memory
//! is not stored: a file without entries, and an entry that has no text and is not always shown.

use std::{collections::BTreeMap, fs, path::Path};

use inklings_api::transfer::view::{ConflictChoice, ImportOutcomeKind, TransferFormat};
use inklings_formats::{
    entries::{Format, open_entries},
    testing::corpus::{Content, CorpusFile, corpus},
};
use serde_json::Value;

use crate::{
    round_trips::files,
    support::{World, total},
};

const SEED: u64 = 20_261_125;
/// A file takes a workspace of its own, so these are fewer than in the tests of the readers.
const FILES: usize = 81;

fn written_as(format: Format) -> Option<TransferFormat> {
    serde_json::from_value(format.name().into()).ok().filter(|_| format.is_written())
}

fn put(world: &World, file: &CorpusFile) {
    match &file.content {
        Content::File(bytes) => drop(world.file("given", bytes)),
        Content::Folder(files) => {
            for (name, bytes) in files {
                world.file(&format!("given/{name}"), bytes);
            }
        }
    }
}

fn values(path: &Path, lines: bool) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("UTF-8");
    let read = |text: &str| serde_json::from_str(text).expect("JSON");
    if lines { text.lines().map(read).collect() } else { vec![read(&text)] }
}

/// Why a file did not come back; `None` if it did.
async fn lost(world: &World, file: &CorpusFile, format: TransferFormat) -> Option<String> {
    put(world, file);
    let done = match world.import(&world.path("given"), ConflictChoice::Newer).await {
        Err(error) => return Some(error.message),
        Ok(done) => done,
    };
    if total(&done.plan, ImportOutcomeKind::Refuse) > 0 {
        let refused = done.plan.items.iter().filter(|item| item.kind == ImportOutcomeKind::Refuse);
        let other: Vec<_> =
            refused.filter(|item| !item.reason.contains("only a named entry may be empty")).collect();
        return (!other.is_empty()).then(|| format!("refused: {other:?}"));
    }
    if world.all().await.is_empty() {
        return None;
    }
    let back = world.export("back", format).await;
    match &file.content {
        _ if file.format == Format::Novelcrafter => {
            let read = |path: &Path| open_entries(path, None).expect("reads");
            let (given, found) = (read(&world.path("given")), read(&back));
            let pair = given.entries.iter().zip(&found.entries).find(|(given, found)| given != found);
            pair.map(|(given, found)| format!("{given:?} is {found:?}")).or_else(|| {
                (given.entries.len() != found.entries.len()).then(|| "another number of entries".to_owned())
            })
        }
        Content::File(_) => {
            let found = values(&back, file.values.len() > 1);
            let pairs = file.values.iter().zip(&found);
            let differences: Vec<String> =
                pairs.filter_map(|(given, found)| difference("", given, found)).collect();
            let same_length = found.len() == file.values.len();
            (!same_length || !differences.is_empty())
                .then(|| format!("{} of {} values; {differences:?}", found.len(), file.values.len()))
        }
        Content::Folder(given) => {
            let mut found = BTreeMap::new();
            files(&back, "", &mut found);
            let given: BTreeMap<String, String> = given
                .iter()
                .map(|(path, bytes)| (path.clone(), String::from_utf8_lossy(bytes).into_owned()))
                .collect();
            let other = given.iter().find(|(path, text)| found.get(*path) != Some(text));
            other.map(|(path, text)| format!("{path}: {text:?} is {:?}", found.get(path)))
        }
    }
}

/// The first place in which two values differ.
fn difference(at: &str, given: &Value, found: &Value) -> Option<String> {
    match (given, found) {
        (Value::Object(given), Value::Object(found)) => {
            let keys = given.keys().chain(found.keys());
            keys.into_iter().find_map(|key| {
                let of = |map: &serde_json::Map<String, Value>| {
                    map.get(key).cloned().unwrap_or("(nothing)".into())
                };
                difference(&format!("{at}/{key}"), &of(given), &of(found))
            })
        }
        (Value::Array(given), Value::Array(found)) if given.len() == found.len() => {
            let pairs = given.iter().zip(found).enumerate();
            pairs.into_iter().find_map(|(n, (given, found))| difference(&format!("{at}/{n}"), given, found))
        }
        _ => (given != found).then(|| format!("{at}: {given} is {found}")),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_generated_file_is_exported_equal() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in corpus(SEED, FILES) {
        let Some(format) = written_as(file.format) else { continue };
        let lost = lost(&World::new().await, &file, format).await;
        wrong
            .extend(lost.map(|why| format!("{}: {}", file.label, why.chars().take(600).collect::<String>())));
        compared += 1;
    }
    assert!(wrong.is_empty(), "{} of {compared} files:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 40, "{compared} files");
}
