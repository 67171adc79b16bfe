//! `inklings scrub`

use clap::{Args, Subcommand, ValueEnum};
use inklings_api::{
    App,
    error::{CommandError, ErrorCode},
    views::doors_keep::{ScrubDone, ScrubKind, ScrubManifest, ScrubMode, ScrubRequest, ScrubTarget},
};

use crate::{args::Common, failure::Failure, output::Output, store};

/// What stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModeWord {
    Full,
    KeepNamed,
}

#[derive(Debug, Args)]
pub struct How {
    /// What stays: nothing, or named entries
    #[arg(long, default_value = "keep-named")]
    mode: ModeWord,
    /// Carry out the manifest with this hash; without it nothing is changed
    #[arg(long, value_name = "HASH", requires = "phrase")]
    execute: Option<String>,
    /// The phrase that the manifest asks for
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
    /// Destroy what was said in a conversation, by its reference code or id
    Purge {
        conversation: String,
        #[command(flatten)]
        how: How,
    },
}

pub async fn run(verb: ScrubVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let (kind, id, how) = match verb {
        ScrubVerb::Conversation { conversation, how } => {
            (ScrubKind::Conversation, Some(conversation_id(&app, &conversation).await?), how)
        }
        ScrubVerb::Purge { conversation, how } => {
            (ScrubKind::PurgeConversation, Some(conversation_id(&app, &conversation).await?), how)
        }
        ScrubVerb::Channel { channel, how } => {
            (ScrubKind::Channel, Some(app.channel_id(&channel).await?), how)
        }
        ScrubVerb::Workspace(how) => (ScrubKind::Workspace, None, how),
        ScrubVerb::Account(how) => (ScrubKind::Account, None, how),
    };
    let target = ScrubTarget { kind, id };
    let mode = match how.mode {
        ModeWord::Full => ScrubMode::Full,
        ModeWord::KeepNamed => ScrubMode::KeepNamed,
    };
    let Some(hash) = how.execute else {
        let manifest = app.preview_scrub(target, mode).await?;
        return out.answer(&manifest, || shown(&manifest));
    };
    let request =
        ScrubRequest { target, mode, hash, phrase: how.phrase.unwrap_or_default(), backup: how.backup };
    let done = app.execute_scrub(request).await?;
    out.answer(&done, || told(&done))?;
    let older = app.list_backups().await?.rows.len();
    if older > 0 {
        out.note(format!("{older} backups are there; those made before may still hold what was scrubbed."));
    }
    if done.proof.ok {
        return Ok(());
    }
    let message = format!("{} remains were found after the scrub.", done.proof.residues);
    Err(CommandError::new(ErrorCode::Internal, message).into())
}

/// An id is taken as it is: a deleted conversation has no reference code any more.
async fn conversation_id(app: &App, name: &str) -> Result<String, Failure> {
    if name.len() == 36 {
        return Ok(name.to_owned());
    }
    Ok(app.get_conversation(name).await?.id)
}

fn shown(manifest: &ScrubManifest) -> String {
    let mut lines = vec![format!("{}: {} rows would be destroyed for good.", manifest.title, manifest.total)];
    lines.extend(manifest.counts.iter().map(|count| format!("  {:>8} {}", count.rows, count.what)));
    if manifest.keeps > 0 {
        lines.push(format!("{} named entries stay.", manifest.keeps));
    }
    lines.push("Nothing was changed. To go on:".to_owned());
    lines.push(format!("  --execute {} --phrase '{}'", manifest.hash, manifest.phrase));
    lines.join("\n")
}

fn told(done: &ScrubDone) -> String {
    let mut lines = vec![format!("{}: {} rows are gone for good.", done.manifest.title, done.manifest.total)];
    lines.push(format!("Audit log, row {}.", done.audit_sequence));
    if let Some(backup) = &done.backup_id {
        lines.push(format!("Backed up before in {backup}."));
    }
    let verdict = if done.proof.ok { "nothing is left" } else { "REMAINS WERE FOUND" };
    lines.push(format!("Looked through {}: {verdict}.", done.proof.checked.join(", ")));
    lines.join("\n")
}
