//! The `inklings file` commands.

use inklings_api::transfer::{
    one_file::{self, FileKind, FileOperation},
    view::FileEntry,
};

use crate::transfer::args::FileVerb;
use crate::{
    failure::Failure,
    output::{Output, one_line, table, texts::read, word},
};

/// Runs one command. Opens no data folder, because the memory is the file.
#[allow(clippy::unused_async, reason = "as every other verb")]
pub async fn run(verb: FileVerb, out: &Output) -> Result<(), Failure> {
    let (path, operation) = match verb {
        FileVerb::Open { path } => {
            return out.answer(&*one_file::entries(&path)?, list);
        }
        FileVerb::Search { path, query, limit } => {
            let mut hits = one_file::search(&path, &query)?;
            hits.truncate(limit.unwrap_or(usize::MAX));
            return out.answer(&hits, |hits| {
                let row = |hit: &inklings_api::transfer::view::FileHit| {
                    let score = if hit.by_name { "by name".to_owned() } else { format!("{:.3}", hit.score) };
                    vec![score, hit.entry.name.clone(), one_line(&hit.entry.content, 80)]
                };
                table(&["score", "name", "text"], &hits.iter().map(row).collect::<Vec<_>>())
            });
        }
        FileVerb::Show { path, name } => {
            let entry = one_file::show(&path, &name)?;
            return out.answer(&entry, |entry| {
                format!("{}\n\n{}", list(std::slice::from_ref(entry)), entry.content)
            });
        }
        FileVerb::Add { path, name, text, archive } => {
            let kind = if archive { FileKind::Archive } else { FileKind::Note };
            (path, FileOperation::Add { name, content: read(text)?, kind })
        }
        FileVerb::Rename { path, name, new } => (path, FileOperation::Rename { entry: name, name: new }),
        FileVerb::Alias { path, name, alias } => (path, FileOperation::Alias { entry: name, alias }),
        FileVerb::Write { path, name, text } => {
            (path, FileOperation::Write { entry: name, content: read(text)? })
        }
        FileVerb::Remove { path, name } => {
            let gone = one_file::show(&path, &name)?;
            one_file::apply(&path, &[FileOperation::Remove { entry: name }])?;
            return out.answer(&serde_json::json!({ "removed": gone.id }), |_| "Removed.".to_owned());
        }
    };
    let entries = one_file::apply(&path, &[operation])?;
    out.answer(&entries.first(), |_| list(&entries))
}

fn list(entries: &[FileEntry]) -> String {
    let row = |entry: &FileEntry| {
        let names = [&entry.name].into_iter().chain(&entry.aliases).cloned().collect::<Vec<_>>().join(", ");
        vec![entry.id.to_string(), word(entry.kind), names, one_line(&entry.content, 80)]
    };
    table(&["id", "kind", "names", "text"], &entries.iter().map(row).collect::<Vec<_>>())
}
