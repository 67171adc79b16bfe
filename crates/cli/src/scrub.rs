//! The `inklings scrub` commands.

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::{
    App,
    error::{CommandError, ErrorCode},
    scrub::view::{ScrubDone, ScrubKind, ScrubManifest, ScrubMode, ScrubRequest, ScrubTarget},
};

use crate::{failure::Failure, output::Output, shared_args::Common, store};

/// Which entries are retained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeWord {
    Full,
    KeepNamed,
}

#[derive(Debug, Args)]
pub struct How {
    /// What to retain: nothing, or named entries
    #[arg(long, default_value = "keep-named")]
    mode: ModeWord,
    /// Execute the manifest with this hash; without it nothing is changed
    #[arg(long, value_name = "HASH", requires = "phrase")]
    execute: Option<String>,
    /// Phrase that the manifest shows
    #[arg(long, requires = "execute")]
    phrase: Option<String>,
    /// Make a backup first
    #[arg(long, requires = "execute")]
    backup: bool,
}

#[derive(Debug, Subcommand)]
pub enum ScrubVerb {
    /// Clear the memory of a conversation, by its reference code
    Conversation {
        conversation: String,
        #[command(flatten)]
        how: How,
    },
    /// Clear the memory of a channel
    Channel {
        channel: String,
        #[command(flatten)]
        how: How,
    },
    /// Clear the memory of the workspace itself, and its facts
    Workspace(How),
    /// Clear the memory of the account
    Account(How),
    /// Clear one memory and its history, by its id
    Memory {
        id: String,
        #[command(flatten)]
        how: How,
    },
    /// Clear every memory, fact and scratchpad note that names a subject
    Subject {
        name: String,
        /// In the account instead of the workspace
        #[arg(long)]
        account: bool,
        #[command(flatten)]
        how: How,
    },
    /// Destroy the messages of a conversation, by its reference code or id
    Purge {
        conversation: String,
        #[command(flatten)]
        how: How,
    },
}

pub async fn run(verb: ScrubVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let mut account = None;
    let (kind, id, how) = match verb {
        ScrubVerb::Memory { id, how } => (ScrubKind::Entry, Some(id), how),
        ScrubVerb::Subject { name, account: of_account, how } => {
            account = Some(of_account);
            (ScrubKind::Subject, Some(name), how)
        }
        ScrubVerb::Conversation { conversation, how } => {
            (ScrubKind::Conversation, Some(conversation_id(&app, &conversation).await?), how)
        }
        ScrubVerb::Purge { conversation, how } => {
            (ScrubKind::PurgeConversation, Some(conversation_id(&app, &conversation).await?), how)
        }
        ScrubVerb::Channel { channel, how } => {
            (ScrubKind::Channel, Some(app.channel().channel_id(&channel).await?), how)
        }
        ScrubVerb::Workspace(how) => (ScrubKind::Workspace, None, how),
        ScrubVerb::Account(how) => (ScrubKind::Account, None, how),
    };
    let target = ScrubTarget { kind, id, account };
    let mode = match how.mode {
        ModeWord::Full => ScrubMode::Full,
        ModeWord::KeepNamed => ScrubMode::KeepNamed,
    };
    let Some(hash) = how.execute else {
        return out.answer(&app.scrub().preview_scrub(target, mode).await?, shown);
    };
    let request =
        ScrubRequest { target, mode, hash, phrase: how.phrase.unwrap_or_default(), backup: how.backup };
    let done = app.scrub().execute_scrub(request).await?;
    out.answer(&done, report)?;
    if !done.manifest.backups.is_empty() {
        out.note(still_held(&done.manifest));
    }
    for line in left_over(&done.manifest) {
        out.note(line);
    }
    if done.proof.ok {
        return Ok(());
    }
    let message = format!("{} remains were found after the scrub.", done.proof.residues);
    Err(CommandError::new(ErrorCode::Internal, message).into())
}

/// An id is used unchanged, because a deleted conversation has no reference code.
async fn conversation_id(app: &App, name: &str) -> Result<String, Failure> {
    if name.len() == 36 {
        return Ok(name.to_owned());
    }
    Ok(app.conversation().get_conversation(name).await?.id)
}

fn shown(manifest: &ScrubManifest) -> String {
    let mut lines = vec![format!("{}: {} rows would be destroyed for good.", manifest.title, manifest.total)];
    lines.extend(manifest.counts.iter().map(|count| format!("  {:>8} {}", count.rows, count.what)));
    if manifest.keeps > 0 {
        lines.push(format!("{} named entries stay.", manifest.keeps));
    }
    lines.extend(also_found(manifest));
    if !manifest.backups.is_empty() {
        lines.push(still_held(manifest));
    }
    lines.extend(left_over(manifest));
    lines.push("Nothing was changed. To go on:".to_owned());
    lines.push(format!("  --execute {} --phrase '{}'", manifest.hash, manifest.phrase));
    lines.join("\n")
}

/// Matching texts that remain, one line each.
fn also_found(manifest: &ScrubManifest) -> Vec<String> {
    let also = &manifest.also_found;
    let mut lines = Vec::new();
    for found in &also.conversations {
        lines.push(format!(
            "Also said in {}: {} messages, summaries or titles. `scrub purge {}` takes what was said.",
            found.ref_code, found.rows, found.ref_code
        ));
    }
    for (ids, place) in [(&also.memories, "the workspace"), (&also.account_memories, "the account")] {
        if !ids.is_empty() {
            lines.push(format!("Also in {} memories of {place}: {}", ids.len(), ids.join(", ")));
        }
    }
    if also.facts + also.working_notes > 0 {
        lines.push(format!("Also in {} facts and {} working notes.", also.facts, also.working_notes));
    }
    for (count, what) in [(also.proposals, "proposals"), (also.channels, "names or descriptions of channels")]
    {
        if count > 0 {
            lines.push(format!("Also in {count} {what}."));
        }
    }
    lines
}

fn still_held(manifest: &ScrubManifest) -> String {
    let ids: Vec<&str> = manifest.backups.iter().map(|set| set.id.as_str()).collect();
    format!("{} backups hold some of it: {}. `backup purge` destroys one.", ids.len(), ids.join(", "))
}

/// Other copies that may contain some of the data, one line each.
fn left_over(manifest: &ScrubManifest) -> impl Iterator<Item = String> {
    manifest.leftovers.iter().map(|path| format!("A copy outside the backups may hold some of it: {path}"))
}

fn report(done: &ScrubDone) -> String {
    let mut lines = vec![format!("{}: {} rows are gone for good.", done.manifest.title, done.manifest.total)];
    lines.push(format!("Audit log, row {}.", done.audit_sequence));
    if let Some(backup) = &done.backup_id {
        lines.push(format!("Backed up before in {backup}."));
    }
    let verdict = if done.proof.ok { "nothing is left" } else { "REMAINS WERE FOUND" };
    lines.push(format!("Looked through {}: {verdict}.", done.proof.checked.join(", ")));
    lines.join("\n")
}
