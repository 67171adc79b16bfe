//! The `inklings` command line: every command calls the core once and prints the result.
//!
//! Exit codes: 0 success, 1 failure, 2 invalid command line. Results go to standard output, everything else
//! to standard error; with `--json` both are JSON.

mod agent_telemetry;
mod args;
mod audit;
mod backup;
mod bench;
mod calendar;
mod channel;
mod chat;
mod client;
mod consolidation;
pub(crate) mod conversation;
#[cfg(feature = "dev-serve")]
mod dev_serve;
mod doctor;
mod drift;
mod fact;
mod failure;
mod manual;
mod mcp;
mod memory;
mod model;
mod named_entry;
pub(crate) mod one_file;
mod orientation;
mod output;
mod progress;
mod proposal;
mod recall_test;
mod saved_search;
mod schedule;
mod scratchpad;
mod scrub;
mod search;
mod shared_args;
mod store;
mod subject;
pub(crate) mod transfer;
mod vault;
mod workspace;

use std::{io::IsTerminal as _, process::ExitCode};

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use inklings_api::logging;
use output::Output;

fn main() -> ExitCode {
    inklings_api::telemetry::forbid();
    inklings_api::private::begin();
    log_to_stderr();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return Output::new(args::wants_json(std::env::args_os())).not_understood(&error).into();
        }
    };
    let out = Output::new(cli.common.json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return out.failed(&Failure::internal(&error)).into(),
    };
    let done = runtime.block_on(run(cli, &out)).and_then(|()| out.flush());
    let code = done.map_or_else(|failure| out.failed(&failure), |()| 0);
    // The process must not wait for a model load or a cancelled download. The loading thread must not run
    // while an ordinary exit destroys the model runtime: that crashed once in thousands of runs.
    runtime.shutdown_background();
    signal_hook::low_level::exit(code.into())
}

async fn run(cli: Cli, out: &Output) -> Result<(), Failure> {
    let common = &cli.common;
    match cli.command {
        Command::Workspace(verb) => workspace::run(verb, common, out).await,
        Command::Memory(verb) => memory::run(verb, common, out).await,
        Command::Channel(verb) => channel::channel(verb, common, out).await,
        Command::Conversation(verb) => Box::pin(conversation::run(verb, common, out)).await,
        Command::Scratchpad(verb) => scratchpad::scratchpad(verb, common, out).await,
        Command::Fact(verb) => fact::fact(verb, common, out).await,
        Command::Chat(verb) => chat::chat(verb, common, out).await,
        Command::Model(verb) => model::run(verb, common, out).await,
        Command::Named(verb) => named_entry::named(verb, common, out).await,
        Command::Subject(verb) => subject::subject(verb, common, out).await,
        Command::Link(verb) => subject::link(verb, common, out).await,
        Command::Calendar(verb) => calendar::calendar(verb, common, out).await,
        Command::Timeline(verb) => calendar::timeline(verb, common, out).await,
        Command::Vault(verb) => vault::vault(verb, common, out).await,
        Command::Search(args) => search::run(args, common, out).await,
        Command::SavedSearch(verb) => saved_search::saved_search(verb, common, out).await,
        Command::Orient(args) => orientation::orient(args, common, out).await,
        Command::Consolidate(verb) => consolidation::consolidate(verb, common, out).await,
        Command::Proposal(verb) => proposal::proposal(verb, common, out).await,
        Command::Drift(verb) => drift::drift(verb, common, out).await,
        Command::Telemetry(verb) => agent_telemetry::telemetry(verb, common, out).await,
        Command::Recall(verb) => recall_test::recall(verb, common, out).await,
        Command::Schedule(verb) => schedule::schedule(verb, common, out).await,
        Command::Backup(verb) => backup::run(verb, common, out).await,
        Command::Scrub(verb) => scrub::run(verb, common, out).await,
        Command::Audit(verb) => audit::run(verb, common, out).await,
        Command::Embed(embed) => model::embed(embed, common, out).await,
        Command::Mcp(args) => Box::pin(mcp::run(args, common, out)).await,
        Command::Client(verb) => client::run(verb, common, out).await,
        Command::Export(args) => transfer::export(args, common, out).await,
        Command::Import(args) => transfer::import(args, common, out).await,
        Command::File(verb) => one_file::run(verb, out).await,
        #[cfg(feature = "dev-serve")]
        Command::DevServe(args) => dev_serve::run(args, common, out).await,
        Command::Doctor(verb) => doctor::run(&verb, common, out).await,
        Command::Completions { shell } => manual::completions(shell, out),
        Command::Manual { folder } => manual::write(&folder),
        Command::Bench(verb) => bench::run(verb, out).await,
    }
}

/// Logs to standard error if `INKLINGS_LOG` is set (`INKLINGS_LOG=debug`). Otherwise only errors are
/// reported, as the result of the command.
fn log_to_stderr() {
    if let Ok(words) = std::env::var(logging::VARIABLE) {
        logging::start(&words, std::io::stderr, std::io::stderr().is_terminal());
    }
}
