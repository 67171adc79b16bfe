//! The `inklings client` commands.

pub mod args;

use inklings_api::{
    App, MCP_PATH, MCP_PORT,
    client::view::{ClientCapability, ClientGrants, ClientUndone, ClientView, WhyRetained},
    error::CommandError,
    view::lens::LensSpec,
};
use serde_json::json;

use crate::client::args::{ClientVerb, Grant};
use crate::{
    failure::Failure,
    output::{Output, minute, table, word},
    shared_args::Common,
    store,
};

pub async fn run(verb: ClientVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace_if_any(common, out).await?;
    match verb {
        ClientVerb::List => out.answer(&*app.client().list_clients().await?, list),
        ClientVerb::Add { name } => {
            let workspace = store::workspace(common, out).await?.workspace().current_workspace();
            let workspace = workspace.map(|workspace| workspace.id.to_string()).unwrap_or_default();
            let made = app.client().add_client(&name, &workspace).await?;
            out.note("This token is shown once and kept nowhere:");
            out.answer(&made, |made| made.token.clone())
        }
        ClientVerb::Grant(request) => grant(&app, request, out).await,
        ClientVerb::Revoke { client } => {
            let view = app.client().revoke_client(&client).await?;
            out.answer(&view, |view| list(std::slice::from_ref(view)))
        }
        ClientVerb::Token { client } => {
            let made = app.client().renew_token(&client).await?;
            out.note("This token is shown once and kept nowhere:");
            out.answer(&made, |made| made.token.clone())
        }
        ClientVerb::Changes { client, limit, before } => {
            let page = app.client().client_changes(&client, before, limit).await?;
            if let Some(next) = &page.next {
                out.note(format!("More: --before {next}"));
            }
            out.answer(&page, |page| {
                let row = |row: &inklings_api::view::journal::JournalView| {
                    let state = if row.undone_by.is_some() { "taken back" } else { "" };
                    let what = row.wrote.as_ref().map_or_else(
                        || format!("{} memories", row.entries),
                        |wrote| format!("{} {}", word(wrote.kind), wrote.label),
                    );
                    let cells = [minute(&row.at), word(row.scope), word(row.action), what];
                    cells.into_iter().chain([row.change_id.clone(), state.to_owned()]).collect()
                };
                let rows: Vec<Vec<String>> = page.rows.iter().map(row).collect();
                table(&["when", "tier", "what", "of", "change", ""], &rows)
            })
        }
        ClientVerb::Shown { client, limit, after } => out.answer(
            &app.orientation().list_reads(None, Some(&client), after.as_deref(), limit).await?,
            crate::orientation::show::reads,
        ),
        ClientVerb::Undo { client } => {
            let undone = app.client().undo_client(&client).await?;
            for row in &undone.conflicts {
                out.note(format!("Left as it is, because somebody else changed it since: {}", row.id));
            }
            for write in &undone.writes.not_undone {
                let why = match write.why {
                    WhyRetained::Changed => "somebody else changed it since",
                    WhyRetained::Summarised => "a summary stands for it by now",
                    WhyRetained::Accepted => "you made it your own word",
                };
                let (kind, label) = (word(write.wrote.kind), &write.wrote.label);
                out.note(format!("Left as it is, because {why}: {kind} {label}"));
            }
            out.answer(&undone, taken_back)
        }
        ClientVerb::Snippets { client, token } => {
            let port = app.client().mcp_settings().await?.port;
            let url = format!("http://127.0.0.1:{}{MCP_PATH}", if port == 0 { MCP_PORT } else { port });
            let snippets = app.client().client_snippets(&client, token.as_deref(), &url).await?;
            out.answer(&snippets, |snippets| {
                let piece = |s: &inklings_api::client::view::Snippet| {
                    format!("# {} ({})\n{}", s.program, s.file, s.text)
                };
                let all: Vec<String> = snippets.stdio.iter().chain(&snippets.http).map(piece).collect();
                all.join("\n\n")
            })
        }
    }
}

fn taken_back(undone: &ClientUndone) -> String {
    let writes = &undone.writes;
    let mut lines = vec![
        format!("{} memories are as they were.", undone.restored),
        format!(
            "{} facts and {} working notes are as they were; {} messages are gone.",
            writes.facts, writes.notes, writes.messages
        ),
    ];
    if writes.answered > 0 {
        lines.push(format!("{} of them had been answered; the answers stay.", writes.answered));
    }
    if writes.switched {
        lines.push("The switch of memory is as it was.".to_owned());
    }
    if writes.proposals > 0 {
        lines.push(format!("{} proposals were turned down.", writes.proposals));
    }
    lines.join("\n")
}

/// Grants or removes one permission by its word.
fn set(grants: &mut ClientGrants, given: &str, granted: bool) -> Result<(), Failure> {
    let unknown = || {
        CommandError::invalid(
            "grant",
            "A grant is TIER:read or TIER:write (conversation, channel, workspace, account), or one of propose, \
             memory_switch, scrub_preview, scrub_execute, agent_telemetry, read_pages.",
        )
    };
    if let Some((tier, verb)) = given.split_once(':') {
        let tier = grants.tiers.iter_mut().find(|known| word(known.scope) == tier).ok_or_else(unknown)?;
        match verb {
            "read" => tier.read = granted,
            "write" => tier.write = granted,
            _ => return Err(unknown().into()),
        }
        return Ok(());
    }
    let capability: ClientCapability = serde_json::from_value(json!(given)).map_err(|_| unknown())?;
    grants.capabilities.retain(|known| *known != capability);
    if granted {
        grants.capabilities.push(capability);
    }
    Ok(())
}

/// Changes of access by channel and conversation name.
struct Joined<'a> {
    channels: &'a [String],
    conversations: &'a [String],
}

impl Joined<'_> {
    const fn is_empty(&self) -> bool {
        self.channels.is_empty() && self.conversations.is_empty()
    }
}

/// Adds and removes channels and conversations of the client's own workspace.
async fn change_memberships(
    app: &App,
    view: &ClientView,
    grants: &mut ClientGrants,
    join: Joined<'_>,
    leave: Joined<'_>,
) -> Result<(), Failure> {
    if join.is_empty() && leave.is_empty() {
        return Ok(());
    }
    app.workspace().open_workspace(&view.workspace_id).await?;
    for (named, joins) in [(leave, false), (join, true)] {
        for name in named.channels {
            set_member(&mut grants.channels, app.channel().channel_id(name).await?, joins);
        }
        for name in named.conversations {
            set_member(&mut grants.conversations, app.conversation().get_conversation(name).await?.id, joins);
        }
    }
    Ok(())
}

fn set_member(list: &mut Vec<String>, id: String, member: bool) {
    list.retain(|known| *known != id);
    if member {
        list.push(id);
    }
}

/// Changes the permissions of a client, and the lens of its reads.
async fn grant(app: &App, request: Grant, out: &Output) -> Result<(), Failure> {
    let Grant { client, allow, deny, join, leave, join_conversation, leave_conversation, lens, no_lens } =
        request;
    let view = app.client().client(&client).await?;
    let mut grants = view.grants.clone();
    for (words, granted) in [(&allow, true), (&deny, false)] {
        for given in words {
            set(&mut grants, given, granted)?;
        }
    }
    let joined = Joined { channels: &join, conversations: &join_conversation };
    let left = Joined { channels: &leave, conversations: &leave_conversation };
    change_memberships(app, &view, &mut grants, joined, left).await?;
    // Without one of the two, the client keeps the lens that it has.
    grants.lens = if no_lens { Some(LensSpec::default()) } else { lens.spec() };
    let view = app.client().set_grants(&view.id, &grants).await?;
    out.answer(&view, |view| list(std::slice::from_ref(view)))
}

fn list(clients: &[ClientView]) -> String {
    let rows: Vec<Vec<String>> = clients
        .iter()
        .map(|client| {
            let mut granted = Vec::new();
            for tier in &client.grants.tiers {
                let scope = word(tier.scope);
                granted.extend(tier.read.then(|| format!("{scope}:read")));
                granted.extend(tier.write.then(|| format!("{scope}:write")));
            }
            granted.extend(client.grants.capabilities.iter().map(|capability| word(*capability)));
            if !client.grants.channels.is_empty() {
                granted.push(format!("{} channels", client.grants.channels.len()));
            }
            if !client.grants.conversations.is_empty() {
                granted.push(format!("{} conversations", client.grants.conversations.len()));
            }
            if client.grants.lens.is_some() {
                granted.push("lens".to_owned());
            }
            let state = if client.revoked_at.is_some() { "revoked" } else { "" };
            vec![
                client.name.clone(),
                client.workspace_name.clone(),
                client.writes.to_string(),
                state.to_owned(),
                granted.join(" "),
            ]
        })
        .collect();
    table(&["name", "workspace", "writes", "", "grants"], &rows)
}
