//! The `inklings backup` commands.

use clap::Subcommand;
use inklings_api::{
    BackupService, Interface,
    backup::view::{BackupView, DamagedFile, ScrubbedData},
    error::{CommandError, ErrorCode},
    system,
};
use serde_json::json;

use crate::{
    failure::Failure,
    output::{Output, minute, table, word},
    shared_args::Common,
};

#[derive(Debug, Subcommand)]
pub enum BackupVerb {
    /// Back up all databases now
    Now,
    /// List backups, newest first
    List,
    /// Verify a backup; exits with 1 if it is damaged
    Check { id: String },
    /// Restore a backup; the current state is backed up first
    Restore {
        id: String,
        /// Also restore a backup from before a scrub, with the data that the scrub destroyed
        #[arg(long)]
        with_scrubbed: bool,
        /// Restore a backup from before a scrub without the data that the scrub destroyed
        #[arg(long, conflicts_with = "with_scrubbed")]
        scrub_first: bool,
    },
    /// Delete a backup permanently
    Purge { id: String },
    /// List damaged databases, each with its newest intact backup
    Damaged,
    /// Move a damaged or missing account database aside and create an empty one, if there is no backup of it
    BeginAnew,
}

/// Also works if the databases cannot be opened.
pub async fn run(verb: BackupVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let backups = BackupService::of(system::data_dir(common.data_dir.clone()), Interface::Cli);
    match verb {
        BackupVerb::Now => {
            let made = backups.back_up_now().await?;
            out.answer(&made, |made| made.id.clone())
        }
        BackupVerb::List => {
            let all = backups.list_backups().await?;
            out.answer(&all, |all| list(&all.rows))
        }
        BackupVerb::Check { id } => {
            let checked = backups.check_backup(&id).await?;
            out.answer(&checked, |checked| list(std::slice::from_ref(checked)))?;
            if checked.ok == Some(true) {
                return Ok(());
            }
            Err(Failure::new(ErrorCode::Corrupt, "This backup is not whole."))
        }
        BackupVerb::Restore { id, with_scrubbed, scrub_first } => {
            let scrubbed = match (scrub_first, with_scrubbed) {
                (true, _) => ScrubbedData::ScrubFirst,
                (_, true) => ScrubbedData::BringBack,
                _ => ScrubbedData::Refuse,
            };
            let done = backups.restore_backup(&id, scrubbed).await.map_err(with_restore_options)?;
            out.answer(&done, |done| {
                let back = format!("{} is back. What was there before is in {}.", done.restored.id, done.before.id);
                match done.restored.scrubs_in_words() {
                    None => back,
                    Some(scrubs) => format!(
                        "{back}\nWhat {scrubs} destroyed is back, too: `audit list` says what it was, and `scrub` destroys it again."
                    ),
                }
            })
        }
        BackupVerb::Purge { id } => {
            backups.purge_backup(&id).await?;
            out.answer(&json!({ "purged": id }), |_| format!("{id} is gone for good."))
        }
        BackupVerb::Damaged => out.answer(&*backups.damaged_files().await?, damaged),
        BackupVerb::BeginAnew => {
            backups.begin_account_anew().await?;
            out.answer(&json!({ "begunAnew": true }), |_| {
                "The account begins anew. What was left of it is in the folder 'quarantine'.".to_owned()
            })
        }
    }
}

/// The refusal to restore scrubbed data, with the option that permits it.
fn with_restore_options(mut error: CommandError) -> CommandError {
    if error.details.as_ref().and_then(|details| details.field.as_deref()) == Some("scrubbed") {
        error.message.push_str(" `--scrub-first` puts it back without that; `--with-scrubbed` puts it back all the same; `backup purge` destroys it.");
    }
    error
}

/// Adds the remedies to a failure that was caused by a damaged database.
pub async fn with_ways_out(failure: Failure, common: &Common) -> Failure {
    let Failure::Command(mut error) = failure else { return failure };
    if error.code == ErrorCode::Corrupt {
        let backups = BackupService::of(system::data_dir(common.data_dir.clone()), Interface::Cli);
        // If even this cannot be read, only the original error is reported.
        for file in backups.damaged_files().await.unwrap_or_default() {
            error.message.push(' ');
            error.message.push_str(&way_out(&file));
        }
    }
    Failure::Command(error)
}

/// The remedy for a damaged database, as a sentence.
fn way_out(DamagedFile { file, newest, account, .. }: &DamagedFile) -> String {
    match newest {
        Some(backup) => {
            let id = &backup.id;
            format!(
                "The newest whole backup of '{file}' is {id}: `inklings backup restore {id}` puts it back."
            )
        }
        None if *account => format!(
            "There is no whole backup of '{file}': `inklings backup begin-anew` sets it aside and begins with an empty one."
        ),
        None => format!("There is no whole backup of '{file}'."),
    }
}

fn list(rows: &[BackupView]) -> String {
    let row = |backup: &BackupView| {
        let checked = match backup.ok {
            None => "",
            Some(true) => "whole",
            Some(false) => "NOT WHOLE",
        };
        let account = backup.account.then(|| "account".to_owned());
        let holds: Vec<String> = account.into_iter().chain(backup.workspaces.iter().cloned()).collect();
        vec![
            backup.id.clone(),
            minute(&backup.at),
            word(backup.reason),
            format!("{:.1} MB", backup.bytes / 1_048_576.0),
            checked.to_owned(),
            match backup.scrubs_since {
                0 => String::new(),
                1 => "1 scrub".to_owned(),
                more => format!("{more} scrubs"),
            },
            holds.join(", "),
        ]
    };
    let head = ["id", "when", "why", "size", "check", "from before", "holds"];
    table(&head, &rows.iter().map(row).collect::<Vec<_>>())
}

fn damaged(files: &[DamagedFile]) -> String {
    if files.is_empty() {
        return "Nothing is damaged.".to_owned();
    }
    let row = |file: &DamagedFile| {
        let newest = file.newest.as_ref().map_or_else(|| "none".to_owned(), |backup| backup.id.clone());
        vec![file.file.clone(), newest]
    };
    table(&["damaged", "newest whole backup"], &files.iter().map(row).collect::<Vec<_>>())
}
