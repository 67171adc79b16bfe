//! Use cases of conversations: start, list, move, end, archive, delete and settings.

pub mod convert;
pub(crate) mod import;
pub mod import_view;
mod lens;
pub(crate) mod transcript;
pub(crate) mod turn;
pub mod view;

use std::collections::HashMap;

use inklings_domain::{
    conversation::Conversation,
    ids::{ChannelId, ConversationId},
};
use inklings_ports::conversation::store::{ConversationCursor, ConversationFilter, ConversationSummary};

use crate::{
    commands::ConversationCommands,
    conversation::{
        convert as conversation,
        view::{
            ConversationLink, ConversationList, ConversationPage, ConversationSettings, ConversationView,
        },
    },
    error::{CommandError, ErrorCode},
    reference::{ConversationsById, conversations_by_id},
    wire::cursor,
};

impl ConversationCommands<'_> {
    /// Starts a conversation, in `#general` if no channel is given.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel, `invalid` for a bad title.
    pub async fn start_conversation(
        &self,
        channel_id: Option<&str>,
        title: &str,
    ) -> Result<ConversationView, CommandError> {
        let channel = channel_id.map(|id| crate::wire::id("channelId", id)).transpose()?;
        let conversation = self.app.session()?.conversations().begin(channel, title).await?;
        self.conversation_view(&conversation).await
    }

    /// A page of conversations, latest activity first.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for a bad id or cursor.
    pub async fn list_conversations(
        &self,
        request: ConversationList,
    ) -> Result<ConversationPage, CommandError> {
        let session = self.app.session()?;
        let filter = ConversationFilter {
            channel: request.channel_id.as_deref().map(|id| crate::wire::id("channelId", id)).transpose()?,
            only: None,
            statuses: request.statuses.into_iter().map(Into::into).collect(),
            title: request.title,
        };
        let after = cursor::after(request.after.as_deref())?;
        let after = after.map(|(active_at, id)| ConversationCursor { active_at, id });
        let page = session.conversations().list(&filter, after, request.limit as usize).await?;
        let names = self.channel_names().await?;
        let earlier: Vec<ConversationId> =
            page.rows.iter().filter_map(|row| row.conversation.continues).collect();
        let earlier = conversations_by_id(&session, earlier).await?;
        let mut rows = Vec::new();
        for row in &page.rows {
            rows.push(self.view(row, &names, &earlier).await?);
        }
        Ok(ConversationPage { rows, next: page.next.map(|next| cursor::text(&(next.active_at, next.id))) })
    }

    /// Looks up a conversation by id or reference code.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_conversation(&self, name: &str) -> Result<ConversationView, CommandError> {
        let conversation = self.app.session()?.conversations().named(name).await?;
        self.conversation_view(&conversation).await
    }

    /// Changes the title of a conversation.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid title.
    pub async fn rename_conversation(
        &self,
        name: &str,
        title: &str,
    ) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        let conversation = session.conversations().rename(id, title).await?;
        self.conversation_view(&conversation).await
    }

    /// Chooses a model of the connected endpoint for a conversation; `None` for the one of all conversations.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, `invalid` for a name that is none, `model_unavailable` if none is connected.
    pub async fn set_conversation_model(
        &self,
        name: &str,
        model: Option<&str>,
    ) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        let choice = match model {
            Some(model) => Some(self.app.chat.choice(model).await?),
            None => None,
        };
        let conversation = session.conversations().set_model(id, choice).await?;
        self.conversation_view(&conversation).await
    }

    /// Moves a conversation, with its memories, to another channel.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown channel.
    pub async fn move_conversation(
        &self,
        name: &str,
        channel: &str,
    ) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        let conversation =
            session.conversations().move_to(id, crate::wire::id("channelId", channel)?).await?;
        self.conversation_view(&conversation).await
    }

    /// Ends a conversation and cancels a running answer.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` unless it is active.
    pub async fn idle_conversation(&self, name: &str) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        self.app.turns.stop(id);
        let conversation = session.conversations().set_idle(id).await?;
        self.conversation_view(&conversation).await
    }

    /// Archives a conversation.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if it is archived already.
    pub async fn archive_conversation(&self, name: &str) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        self.app.turns.stop(id);
        let conversation = session.conversations().archive(id).await?;
        self.conversation_view(&conversation).await
    }

    /// Starts a new conversation that continues this one.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn continue_conversation(&self, name: &str) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        self.app.turns.stop(id);
        let conversation = session.conversations().resume(id).await?;
        self.conversation_view(&conversation).await
    }

    /// Starts a branch of a conversation from before the message at a position. The conversation stays as it is.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, `invalid` if no branch can begin there.
    pub async fn branch_conversation(&self, name: &str, at: u32) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        let conversation = session.conversations().branch(id, u64::from(at)).await?;
        self.conversation_view(&conversation).await
    }

    /// The branches of a conversation and theirs, oldest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn list_branches(&self, name: &str) -> Result<Vec<ConversationLink>, CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        Ok(session.conversations().branches(id).await?.iter().map(conversation::link).collect())
    }

    /// Deletes the messages of a conversation. Entries made from it are forgotten and can be restored.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn delete_conversation(&self, name: &str) -> Result<(), CommandError> {
        let session = self.app.session()?;
        let id = session.conversations().named(name).await?.id;
        self.app.turns.stop(id);
        Ok(session.conversations().delete(id, self.app.actor).await?)
    }

    /// The conversation settings of the workspace.
    pub async fn conversation_settings(&self) -> Result<ConversationSettings, CommandError> {
        Ok(conversation::settings(self.app.session()?.conversations().settings().await?))
    }

    /// Replaces all conversation settings.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` naming the invalid field.
    pub async fn set_conversation_settings(
        &self,
        settings: ConversationSettings,
    ) -> Result<ConversationSettings, CommandError> {
        self.app.session()?.conversations().set_settings(conversation::read_settings(settings)).await?;
        self.conversation_settings().await
    }

    pub(crate) async fn conversation_view(
        &self,
        conversation: &Conversation,
    ) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let summary = session.workspace.conversations.conversation_summary(conversation.id).await?;
        let summary =
            summary.ok_or_else(|| CommandError::new(ErrorCode::NotFound, "This conversation is gone."))?;
        let earlier = conversations_by_id(&session, conversation.continues.into_iter().collect()).await?;
        self.view(&summary, &self.channel_names().await?, &earlier).await
    }

    async fn view(
        &self,
        summary: &ConversationSummary,
        names: &HashMap<ChannelId, String>,
        earlier: &ConversationsById,
    ) -> Result<ConversationView, CommandError> {
        let conversation = &summary.conversation;
        let channel = names.get(&conversation.channel_id).cloned().unwrap_or_default();
        let continues = conversation.continues.and_then(|id| earlier.get(&id));
        let lens = crate::lens::lens_view(&*self.app.session()?, conversation.lens).await?;
        let state = (self.app.turns.is_running(conversation.id), lens);
        Ok(conversation::conversation(summary, channel, continues, state))
    }

    async fn channel_names(&self) -> Result<HashMap<ChannelId, String>, CommandError> {
        let names = self.app.session()?.workspace.conversations.channel_names().await?;
        Ok(names.into_iter().map(|(id, name)| (id, name.as_str().to_owned())).collect())
    }
}
