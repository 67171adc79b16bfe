//! The lens of a conversation.

use crate::{
    commands::LensCommands, conversation::view::ConversationView, error::CommandError, lens::lens_of,
    view::lens::LensSpec,
};

impl LensCommands<'_> {
    /// Sets the lens of a conversation in which nothing was said yet.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`, or `invalid` once something was said or for what is no date.
    pub async fn set_conversation_lens(
        &self,
        conversation: &str,
        lens: &LensSpec,
    ) -> Result<ConversationView, CommandError> {
        let session = self.app.session()?;
        let found = session.conversations().named(conversation).await?;
        let lens = lens_of(&session, lens).await?;
        let found = session.conversations().set_lens(found.id, lens).await?;
        self.app.conversation().conversation_view(&found).await
    }
}
