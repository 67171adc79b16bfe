//! The `inklings export` and `inklings import` commands.

pub mod args;

use std::{fmt::Write as _, path::Path, sync::Arc};

use inklings_api::{
    NoopEvents,
    error::CommandError,
    transfer::view::{
        AlwaysShown, ExportReport, ExportRequest, ExportScope, ImportBook, ImportBookKind, ImportItemView,
        ImportLine, ImportLinkRole, ImportLinkView, ImportPlan, ImportRequest, KnownBook, TransferCount,
    },
};

use crate::transfer::args::{Export, ExportScopeWord, Import};
use crate::{
    conversation::{self, How},
    failure::Failure,
    output::{Output, one_line, table, word},
    shared_args::Common,
    store,
};

/// Converts a path for the core. Refuses a path that is not UTF-8, because it would be ambiguous in results.
fn path(path: &Path) -> Result<String, Failure> {
    let whole = std::path::absolute(path).map_err(|error| Failure::file(path, &error))?;
    let text = whole.to_str().map(str::to_owned);
    text.ok_or_else(|| CommandError::invalid("path", "The path is no valid text.").into())
}

pub async fn export(export: Export, common: &Common, out: &Output) -> Result<(), Failure> {
    // A dry run creates nothing, not even a first workspace.
    let look = if export.dry_run {
        store::look(common, out).await?
    } else {
        store::workspace(common, out).await?.into()
    };
    let app = &look.app;
    let channel_id = match &export.channel {
        Some(name) => Some(app.channel().channel_id(name).await?),
        None => None,
    };
    let conversation_id = match &export.conversation {
        Some(code) => Some(app.conversation().get_conversation(code).await?.id),
        None => None,
    };
    let one_place = channel_id.is_some() || conversation_id.is_some();
    let takes = |word| !one_place && (export.scope.is_empty() || export.scope.contains(&word));
    let request = ExportRequest {
        path: path(&export.file)?,
        format: export.format.into(),
        scope: ExportScope {
            account: takes(ExportScopeWord::Account),
            workspace: takes(ExportScopeWord::Workspace),
            channel_id,
            conversation_id,
        },
        embeddings: export.embeddings,
        journal: export.journal,
        picture: export.picture.as_deref().map(path).transpose()?,
        replace: export.replace,
        dry_run: export.dry_run,
    };
    let dry_run = request.dry_run;
    if !dry_run {
        // What will be missing is said before anything is written.
        let look = ExportRequest { dry_run: true, ..request.clone() };
        let look = app.transfer().export_memory(look, Arc::new(NoopEvents)).await?;
        if !look.losses.is_empty() {
            out.note(format!("{}\n", lost(&look)));
        }
    }
    let report = app.transfer().export_memory(request, Arc::new(NoopEvents)).await?;
    out.answer(&report, |report| {
        let written = table(&["rows", "of"], &rows(&report.counts));
        if dry_run && !report.losses.is_empty() {
            return format!("{written}\n\n{}", lost(report));
        }
        written
    })
}

fn rows(counts: &[TransferCount]) -> Vec<Vec<String>> {
    counts.iter().map(|count| vec![count.rows.to_string(), count.what.clone()]).collect()
}

/// What an export leaves out.
fn lost(report: &ExportReport) -> String {
    format!("The format has no place for:\n{}", table(&["how many", "what"], &rows(&report.losses)))
}

pub async fn import(import: Import, common: &Common, out: &Output) -> Result<(), Failure> {
    let only_looks = import.dry_run || !import.show.is_empty();
    // A dry run creates nothing, not even a first workspace.
    let look = if only_looks {
        store::look(common, out).await?
    } else {
        store::workspace(common, out).await?.into()
    };
    let app = &look.app;
    if import.format.is_none() && app.transfer().holds_conversations(&import.file).await? {
        let how = How { channel: import.channel.as_deref(), preview: only_looks, partial: import.partial };
        return conversation::import(app, &import.file, how, out).await;
    }
    let channel_id = match &import.channel {
        Some(name) => Some(app.channel().channel_id(name).await?),
        None => None,
    };
    let request = ImportRequest {
        path: path(&import.file)?,
        format: import.format.map(Into::into),
        scope: import.scope.into(),
        channel_id,
        conflicts: import.conflicts.into(),
        picks: import.pick,
        pick_all: import.pick_all,
        whole: import.show.clone(),
        same_book: import.same_book,
        new_book: import.new_book,
        partial: import.partial,
        only_when_named: import.only_when_named,
    };
    let plan = app.transfer().preview_import(request.clone(), Arc::new(NoopEvents)).await?;
    if only_looks {
        return out.answer(&plan, shown);
    }
    let done = app.transfer().import_memory(request, plan.hash, Arc::new(NoopEvents)).await?;
    out.answer(&done, |done| format!("{}\n\nrun {}", shown(&done.plan), done.run_id))
}

/// A line that must be picked, with the existing text and the text in the file.
fn line(line: &ImportLine) -> String {
    let picked = if line.picked { "picked" } else { "not picked" };
    let mut lines = format!("{}  {}  ({picked})\n  {}", line.id, one_line(&line.label, 80), line.reason);
    let here = line.here.as_ref();
    let texts = [("here", here.map_or("", |here| here.text.as_str())), ("file", line.file.text.as_str())];
    for (of, text) in texts {
        // A carriage return would overwrite the text before it in a terminal.
        for (n, part) in text.replace('\r', "").split('\n').enumerate() {
            let _ = write!(lines, "\n  {:<5} {part}", if n == 0 { format!("{of}:") } else { String::new() });
        }
    }
    if !line.file.whole || here.is_some_and(|here| !here.whole) {
        let _ = write!(lines, "\n  The whole: --show {}", line.id);
    }
    lines
}

/// The identity of a file, with the choice if it is in doubt.
fn book(book: &ImportBook) -> String {
    let counts = format!("{} alike, {} changed, {} new", book.alike, book.changed, book.added);
    let id = one_line(&book.id, 80);
    match book.kind {
        ImportBookKind::Same => format!("The same book as \"{id}\": {counts}."),
        ImportBookKind::New if book.known.is_empty() => format!("A new book: \"{id}\"."),
        ImportBookKind::New => format!("Another book: \"{id}\"."),
        ImportBookKind::Doubtful => {
            let option_for = |known: &KnownBook| {
                let id = one_line(&known.id, 80);
                format!("\n  --same-book \"{id}\": {} alike, {} changed", known.alike, known.changed)
            };
            let known: String = book.known.iter().map(option_for).collect();
            let new = format!("\n  --new-book: another book, \"{id}\"");
            format!("It is in doubt whether this is a book that was imported before. Say which:{known}{new}")
        }
    }
}

/// The warning about entries that are always shown.
fn always(always: &AlwaysShown) -> String {
    format!(
        "{} entries are always shown and take {} tokens; named entries have {}. Those that find no room compete with \
         the memories. With --only-when-named all of them do.",
        always.entries, always.tokens, always.budget
    )
}

/// The label of an item with the subject that it becomes, or what it is linked to.
fn with_links(item: &ImportItemView) -> String {
    let names = |role| {
        let linked = item.links.iter().filter(move |link| link.role == role);
        linked.map(|link| one_line(&link.name, 40)).collect::<Vec<_>>()
    };
    let mut parts: Vec<String> = item.subject.iter().cloned().collect();
    if let Some(relation) = &item.relation {
        let [from, to] = [ImportLinkRole::From, ImportLinkRole::To].map(|role| names(role).concat());
        // The plan of an own export knows no names of the ends.
        let is_known = !from.is_empty() && !to.is_empty();
        parts.push(if is_known { format!("{from} -[{relation}]-> {to}") } else { relation.clone() });
    }
    let about = names(ImportLinkRole::About);
    if !about.is_empty() {
        parts.push(format!("about {}", about.join(", ")));
    }
    let since = |link: &ImportLinkView| {
        link.since.as_deref().map_or_else(String::new, |since| format!(" (since {})", one_line(since, 40)))
    };
    let knowers = item.links.iter().filter(|link| link.role == ImportLinkRole::KnownBy);
    let knowers: Vec<String> =
        knowers.map(|link| format!("{}{}", one_line(&link.name, 40), since(link))).collect();
    if !knowers.is_empty() {
        parts.push(format!("known by {}", knowers.join(", ")));
    }
    if parts.is_empty() { item.label.clone() } else { format!("{} ({})", item.label, parts.join("; ")) }
}

fn shown(plan: &ImportPlan) -> String {
    let counts: Vec<Vec<String>> =
        plan.counts.iter().map(|c| vec![word(c.kind), c.rows.to_string(), c.what.clone()]).collect();
    let items: Vec<Vec<String>> = plan
        .items
        .iter()
        .map(|item| {
            let [what, place, reason] = [&item.what, &item.place, &item.reason].map(Clone::clone);
            vec![word(item.kind), what, place, with_links(item), reason]
        })
        .collect();
    let mut parts: Vec<String> = plan.book.iter().map(book).collect();
    parts.push(table(&["does", "how many", "of"], &counts));
    parts.extend(plan.always_shown.iter().map(always));
    if plan.damaged > 0 {
        parts.push(format!("{} damaged files: --partial imports the others.", plan.damaged));
    }
    if !items.is_empty() {
        parts.push(table(&["does", "what", "where", "which", "why"], &items));
    }
    if !plan.lines.is_empty() {
        parts.push("Left out unless you pick them, with --pick LINE or --pick-all:".to_owned());
        parts.extend(plan.lines.iter().map(line));
    }
    if !plan.remarks.is_empty() {
        let remarks: Vec<Vec<String>> =
            plan.remarks.iter().map(|remark| vec![remark.count.to_string(), remark.reason.clone()]).collect();
        parts.push(table(&["put up with", "what"], &remarks));
    }
    parts.join("\n\n")
}
