//! The `inklings mcp` command.

use std::sync::Arc;

use inklings_api::{App, Config, Interface, system};

use crate::client::args::Mcp;
use crate::{args::Common, failure::Failure, output::Output, store};

pub async fn run(args: Mcp, common: &Common, out: &Output) -> Result<(), Failure> {
    let data_dir = system::data_dir(common.data_dir.clone());
    // Work on behalf of a client never has more than the permissions of the agent actor kind.
    let app = Arc::new(App::open(Config { data_dir, resources: None, interface: Interface::Mcp }).await?);
    store::told_of_narrowed(&app, out);
    if args.http {
        let told = |url: &str| out.progress(format_args!("{url}"));
        return Ok(inklings_mcp::serve_http(app, args.port, told, stopped()).await?);
    }
    match &common.workspace {
        Some(name) => app.workspace().open_workspace(name).await?,
        None => app.workspace().open_some_workspace().await.map(|_| ())?,
    }
    tokio::select! {
        served = inklings_mcp::serve_stdio(Arc::clone(&app), &args.client) => Ok(served?),
        () = stopped() => Ok(()),
    }
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
