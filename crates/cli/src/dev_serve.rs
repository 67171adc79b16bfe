//! The `inklings dev-serve` command.

use std::io::Read;

use inklings_api::{Config, Interface, system};
use inklings_commands::DevServer;
use serde::Serialize;

use crate::{args::DevServe, failure::Failure, output::Output, shared_args::Common};

#[derive(Serialize)]
struct Address {
    url: String,
    token: String,
}

pub async fn run(args: DevServe, common: &Common, out: &Output) -> Result<(), Failure> {
    let data_dir = system::data_dir(common.data_dir.clone());
    let server = DevServer::open(
        Config { data_dir, resources: None, interface: Interface::Window },
        args.page,
        args.port,
    )
    .await?;
    let address = Address { url: server.url().to_owned(), token: server.token().to_owned() };
    out.answer(&address, |address| format!("{} {}", address.url, address.token))?;
    out.flush()?;
    // Ends when the parent process closes standard input.
    let ended = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
    tokio::select! {
        () = server.run() => {}
        _ = ended => {}
    }
    Ok(())
}
