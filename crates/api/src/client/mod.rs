//! Use cases of MCP clients: permissions, tokens, their changes and undo.

pub mod install;
pub(crate) mod sessions;
pub(crate) mod snippets;
pub mod view;

use inklings_application::{
    client::{ClientChange, NotUndone},
    error::AppError,
    session::Session,
};
use inklings_domain::{
    client::{
        Client, Grants, Sight, TierGrant as Granted,
        write::{ClientWrite, Wrote},
    },
    lens::Lens,
    scope::{MemoryScope, PerTier},
};

use crate::client::snippets::MCP_PORT;
use crate::{
    client::view::{
        ClientGrants, ClientUndone, ClientView, ClientWritesUndone, McpSettings, NewClient, RecordedWrite,
        TierGrant,
    },
    commands::ClientCommands,
    error::{CommandError, ErrorCode},
    memory::vector_state::with_vector_state,
    view::{
        journal::{ClientWriteView, JournalPage, JournalView},
        lens::LensSpec,
    },
    vocabulary::{ActorKind, ChangeAction, Interface, Scope},
    wire::{count, time},
};

const MCP: &str = "mcp";
/// Maximum number of changes per page.
const MOST: usize = 500;

impl ClientCommands<'_> {
    /// All clients by name, including revoked ones.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn list_clients(&self) -> Result<Vec<ClientView>, CommandError> {
        let mut views = Vec::new();
        for client in self.app.clients.list().await? {
            views.push(self.client_view(&client).await?);
        }
        Ok(views)
    }

    /// Looks up a client by name or id.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn client(&self, name_or_id: &str) -> Result<ClientView, CommandError> {
        self.client_view(&self.app.clients.named(name_or_id).await?).await
    }

    /// Adds a client with read access to the workspace tier of one workspace.
    ///
    /// # Errors
    /// [`CommandError`] of code `already_exists` if the name is in use.
    pub async fn add_client(&self, name: &str, workspace: &str) -> Result<NewClient, CommandError> {
        let workspace = self.app.workspaces.find(workspace).await?;
        let (client, generated) = self.app.clients.add(name, workspace.id).await?;
        Ok(NewClient { client: self.client_view(&client).await?, token: generated.token })
    }

    /// Replaces the permissions of a client. Without a lens, the client keeps the one that it has; a lens that names nothing
    /// removes it.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a channel or conversation that its workspace does not have.
    pub async fn set_grants(&self, id: &str, grants: &ClientGrants) -> Result<ClientView, CommandError> {
        let client = self.app.clients.named(id).await?;
        let mut read = read_grants(grants)?;
        let removes_lens = grants.lens.as_ref().is_some_and(LensSpec::is_none);
        if let Some(spec) = grants.lens.as_ref().filter(|spec| !spec.is_none()) {
            let session = self.session_on(client.workspace).await?;
            let lens = crate::lens::lens_of(&session, spec).await?;
            session.lenses().resolve(lens).await?;
            read.sight = Sight::of(lens);
        }
        if !read.channels.is_empty() {
            let session = self.session_on(client.workspace).await?;
            let known = session.workspace.conversations.channel_names().await.map_err(CommandError::from)?;
            if !read.channels.iter().all(|channel| known.iter().any(|(id, _)| id == channel)) {
                return Err(CommandError::invalid("channels", "The client's workspace has no such channel."));
            }
        }
        // A conversation that was deleted after it was granted may remain in the list; it grants nothing.
        let added: Vec<_> = read.conversations.difference(&client.grants.conversations).copied().collect();
        if !added.is_empty() {
            let session = self.session_on(client.workspace).await?;
            let known =
                session.workspace.conversations.conversations(&added).await.map_err(CommandError::from)?;
            if known.len() < added.len() {
                let message = "The client's workspace has no such conversation.";
                return Err(CommandError::invalid("conversations", message));
            }
        }
        let client = if removes_lens {
            self.app.clients.grant_without_lens(client.id, &read).await?
        } else {
            self.app.clients.grant(client.id, &read).await?
        };
        self.client_view(&client).await
    }

    /// Replaces a client's token and re-enables the client if it was revoked.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn renew_token(&self, id: &str) -> Result<NewClient, CommandError> {
        let client = self.app.clients.named(id).await?;
        let (client, generated) = self.app.clients.renew_token(client.id).await?;
        Ok(NewClient { client: self.client_view(&client).await?, token: generated.token })
    }

    /// Revokes a client, effective with its next call.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn revoke_client(&self, id: &str) -> Result<ClientView, CommandError> {
        let client = self.app.clients.named(id).await?;
        let client = self.app.clients.revoke(client.id).await?;
        self.client_view(&client).await
    }

    /// A page of the changes of a client, newest first. Changes are numbered from the oldest; `before` is the
    /// number of the last change of the previous page.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn client_changes(
        &self,
        id: &str,
        before: Option<u32>,
        limit: u32,
    ) -> Result<JournalPage, CommandError> {
        let client = self.app.clients.named(id).await?;
        let session = self.session_on(client.workspace).await?;
        let all = session.client_writes().changes_of_client(client.id).await?;
        let end = before.map_or(all.len(), |before| (before as usize).saturating_sub(1).min(all.len()));
        let start = end.saturating_sub((limit as usize).clamp(1, MOST));
        let mut rows = Vec::new();
        for change in all[start..end].iter().rev() {
            rows.push(match change {
                ClientChange::Memory(scope, row) => {
                    crate::memory::journal::journal_view(row, (*scope).into())
                }
                ClientChange::Other(write) => write_row(&session, write).await?,
            });
        }
        Ok(JournalPage { rows, next: (start > 0).then(|| (start + 1).to_string()) })
    }

    /// Undoes everything that a client wrote, and rejects its open proposals.
    ///
    /// # Errors
    /// [`CommandError`] of code `locked` for any actor kind but the author.
    pub async fn undo_client(&self, id: &str) -> Result<ClientUndone, CommandError> {
        let client = self.app.clients.named(id).await?;
        let session = self.session_on(client.workspace).await?;
        let undone = session.client_writes().undo_client(client.id, self.app.actor).await?;
        let stored = with_vector_state(&session, undone.conflicts).await?;
        let mut not_undone = Vec::new();
        for NotUndone { write, why } in &undone.writes.not_undone {
            not_undone
                .push(RecordedWrite { wrote: wrote(&session, &write.wrote).await?, why: (*why).into() });
        }
        let writes = ClientWritesUndone {
            facts: count(undone.writes.facts),
            messages: count(undone.writes.messages),
            answered: count(undone.writes.answered),
            notes: count(undone.writes.notes),
            switched: undone.writes.settings > 0,
            proposals: count(undone.proposals),
            not_undone,
        };
        Ok(ClientUndone {
            restored: count(undone.restored),
            conflicts: self.app.memory().rows_in(&session, &stored).await?,
            writes,
        })
    }

    /// True if agents and tasks may add to the memory of the workspace in use.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open.
    pub async fn memory_enabled(&self) -> Result<bool, CommandError> {
        Ok(self.app.session()?.switch().enabled().await?)
    }

    /// Switches memory on or off for agents and tasks.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or it cannot be written.
    pub async fn set_memory_enabled(&self, enabled: bool) -> Result<bool, CommandError> {
        self.app.session()?.switch().set_enabled(enabled).await?;
        self.memory_enabled().await
    }

    /// Settings of the window's MCP server, which is off by default.
    ///
    /// # Errors
    /// [`CommandError`] if the account's database cannot be read.
    pub async fn mcp_settings(&self) -> Result<McpSettings, CommandError> {
        let standard = McpSettings { enabled: false, port: MCP_PORT };
        Ok(self.app.settings().read_setting(MCP).await?.unwrap_or(standard))
    }

    /// Replaces the settings of the MCP server.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a port below 1024.
    pub async fn set_mcp_settings(&self, settings: McpSettings) -> Result<(), CommandError> {
        if settings.port < 1024 {
            return Err(CommandError::invalid("port", "A port is a number from 1024 to 65535."));
        }
        self.app.settings().write_setting(MCP, &settings).await
    }

    async fn client_view(&self, client: &Client) -> Result<ClientView, CommandError> {
        let (workspace_name, writes, lens) = match self.session_on(client.workspace).await {
            Ok(session) => {
                let made = session.client_writes().changes_of_client(client.id).await?;
                let standing = made.iter().filter(|change| change.stands()).count();
                let lens = lens_spec(&session, client.grants.sight.lens()).await?;
                (session.workspace.workspace.name.as_str().to_owned(), count(standing), lens)
            }
            // Its workspace was deleted; the client is still listed so that it can be revoked.
            Err(error) if error.code == ErrorCode::NotFound => (String::new(), 0, None),
            Err(error) => return Err(error),
        };
        Ok(ClientView {
            id: client.id.to_string(),
            name: client.name.clone(),
            workspace_id: client.workspace.to_string(),
            workspace_name,
            grants: grants(&client.grants, lens),
            created_at: time(client.created_at),
            last_seen_at: client.seen_at.map(time),
            revoked_at: client.revoked_at.map(time),
            writes,
        })
    }
}

/// Converts a write other than memory to a row of the list.
async fn write_row(session: &Session, write: &ClientWrite) -> Result<JournalView, CommandError> {
    let action = match &write.wrote {
        Wrote::Fact { made: 1, .. } | Wrote::Claim { .. } | Wrote::Message { .. } => ChangeAction::Create,
        Wrote::Note { made: None, .. } => ChangeAction::Forget,
        Wrote::Fact { .. } | Wrote::Note { .. } | Wrote::Setting { .. } => ChangeAction::Edit,
    };
    let change_id = format!("write-{}", write.sequence);
    Ok(JournalView {
        scope: Scope::Workspace,
        action,
        actor_kind: ActorKind::Agent,
        interface: Interface::Mcp,
        run_id: Some(write.client.to_string()),
        at: time(write.at),
        entries: 1,
        about: None,
        undoes: None,
        undone_by: write.undone_at.map(|_| change_id.clone()),
        wrote: Some(wrote(session, &write.wrote).await?),
        change_id,
    })
}

/// Label for users of the written object.
async fn wrote(session: &Session, wrote: &Wrote) -> Result<ClientWriteView, CommandError> {
    let conversations = &session.workspace.conversations;
    let (label, found) = match wrote {
        Wrote::Fact { fact, .. } | Wrote::Claim { fact, .. } => {
            let label = match session.facts().by_id(*fact).await {
                Ok(known) => format!("{} / {}", known.fact.key.category(), known.fact.key.key()),
                // A scrub destroyed it.
                Err(AppError::NotFound { .. }) => String::new(),
                Err(error) => return Err(error.into()),
            };
            (label, None)
        }
        Wrote::Message { conversation, .. } | Wrote::Note { conversation, .. } => {
            let found = conversations.conversations(&[*conversation]).await?.pop();
            let room = found.as_ref().map(|found| match found.title.as_str() {
                "" => found.ref_code.to_string(),
                title => title.to_owned(),
            });
            let label = match (room, wrote) {
                (Some(room), Wrote::Note { key, .. }) => format!("{room} / {key}"),
                (room, _) => room.unwrap_or_default(),
            };
            (label, found.map(|found| found.id.to_string()))
        }
        Wrote::Setting { key, .. } => (key.clone(), None),
    };
    Ok(ClientWriteView { kind: wrote.kind().into(), label, conversation_id: found })
}

fn grants(grants: &Grants, lens: Option<LensSpec>) -> ClientGrants {
    let tier = |scope: &MemoryScope| {
        let Granted { read, write } = *grants.tiers.get(*scope);
        TierGrant { scope: (*scope).into(), read, write }
    };
    ClientGrants {
        tiers: MemoryScope::ALL.iter().rev().map(tier).collect(),
        channels: grants.channels.iter().map(ToString::to_string).collect(),
        conversations: grants.conversations.iter().map(ToString::to_string).collect(),
        capabilities: grants.capabilities.iter().map(|capability| (*capability).into()).collect(),
        lens,
    }
}

/// A lens as it can be given again; `None` without one.
async fn lens_spec(session: &Session, lens: Lens) -> Result<Option<LensSpec>, CommandError> {
    let view = crate::lens::lens_view(session, lens).await?;
    Ok(view.map(|view| LensSpec { knower: view.knower_id, at: view.chapter_id.or(view.at) }))
}

/// Omitted tiers grant nothing. The lens is read apart, because it names what is in the client's workspace.
fn read_grants(given: &ClientGrants) -> Result<Grants, CommandError> {
    let tier = |scope: MemoryScope| {
        let named = given.tiers.iter().filter(|tier| MemoryScope::from(tier.scope) == scope);
        named.fold(Granted::default(), |all, tier| Granted {
            read: all.read || tier.read,
            write: all.write || tier.write,
        })
    };
    let channels: Result<_, _> = given.channels.iter().map(|id| crate::wire::id("channels", id)).collect();
    let conversations: Result<_, _> =
        given.conversations.iter().map(|id| crate::wire::id("conversations", id)).collect();
    Ok(Grants {
        tiers: PerTier::from_fn(tier),
        channels: channels?,
        conversations: conversations?,
        capabilities: given.capabilities.iter().map(|capability| (*capability).into()).collect(),
        sight: Sight::Whole,
    })
}
