//! The `inklings mcp` commands.

use std::{
    io::{IsTerminal as _, Write as _},
    path::Path,
    sync::Arc,
};

use inklings_api::{
    App, Config, Interface,
    client::install::{InstallPlan, Program},
    system,
};
use serde_json::json;

use crate::client::args::{Mcp, McpVerb};
use crate::{failure::Failure, output::Output, shared_args::Common, store};

pub async fn run(args: Mcp, common: &Common, out: &Output) -> Result<(), Failure> {
    if let Some(McpVerb::Install { program, name, project, yes, dry_run }) = args.verb {
        let app = store::workspace(common, out).await?;
        let program = Program::from(program);
        let name = name.unwrap_or_else(|| program.title().to_owned());
        let plan = app.client().plan_install(program, &name, project.as_deref()).await?;
        return install(&app, &plan, yes, dry_run, out).await;
    }
    let data_dir = system::data_dir(common.data_dir.clone());
    // Work on behalf of a client never has more than the permissions of the agent actor kind.
    let app = Arc::new(App::open(Config { data_dir, resources: None, interface: Interface::Mcp }).await?);
    store::report_narrowed(&app, out);
    if args.http {
        let print_url = |url: &str| out.progress(format_args!("{url}"));
        return Ok(inklings_mcp::serve_http(app, args.port, print_url, stopped()).await?);
    }
    match &common.workspace {
        Some(name) => app.workspace().open_workspace(name).await?,
        None => app.workspace().open_some_workspace().await.map(|_| ())?,
    }
    let ended = tokio::select! {
        served = inklings_mcp::serve_stdio(Arc::clone(&app), &args.client) => served,
        () = stopped() => Ok(()),
    };
    app.client().flush_telemetry().await;
    Ok(ended?)
}

/// Shows a planned change, asks, and writes it.
async fn install(
    app: &App,
    plan: &InstallPlan,
    yes: bool,
    dry_run: bool,
    out: &Output,
) -> Result<(), Failure> {
    out.note(format_args!("{}:", plan.file.display()));
    for (sign, lines) in [("-", &plan.removed), ("+", &plan.added)] {
        for line in lines {
            out.note(format_args!("{sign} {line}"));
        }
    }
    if !plan.changes() {
        out.note("It is configured already.");
    }
    if dry_run {
        return report(plan, None, false, out);
    }
    if !yes && plan.changes() {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::Usage("Add --yes to write this, or --dry-run to only see it.".to_owned()));
        }
        let mut stderr = std::io::stderr();
        let _ = write!(stderr, "Write this? Type yes: ");
        let _ = stderr.flush();
        let mut typed = String::new();
        std::io::stdin().read_line(&mut typed).map_err(|error| Failure::internal(&error))?;
        if typed.trim() != "yes" {
            return Err(Failure::Usage("Nothing was written.".to_owned()));
        }
    }
    let copy = app.client().install(plan).await?;
    report(plan, copy.as_deref(), true, out)
}

fn report(plan: &InstallPlan, copy: Option<&Path>, written: bool, out: &Output) -> Result<(), Failure> {
    let view = json!({ "plan": plan, "written": written && plan.changes(), "copy": copy });
    out.answer(&view, |_| {
        if !written {
            return "Nothing was written.".to_owned();
        }
        let mut lines = Vec::new();
        lines.extend(copy.map(|copy| format!("The old file is kept as {}.", copy.display())));
        if plan.changes() {
            lines.push(format!("Restart {} to connect it.", plan.program));
        }
        lines.push(format!(
            "The client '{0}' may read this workspace. To let it write: inklings client grant \"{0}\" --allow workspace:write",
            plan.client
        ));
        lines.join("\n")
    })
}

/// Waits for a termination signal.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut asked) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = asked.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
