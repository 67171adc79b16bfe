//! Imports into an [`InMemoryDatabase`].

use inklings_domain::{conversation::Conversation, message::NewMessage};

use super::memory_store::{InMemoryDatabase, Tables};
use crate::ports::{
    conversation_import::{ConversationImport, ImportTransaction, TakenIn},
    error::StoreError,
    settings::Topic,
};

/// A copy of what an import may change. It replaces the original at the end, so nobody else may write meanwhile.
struct Copy {
    database: InMemoryDatabase,
    tables: Tables,
}

#[async_trait::async_trait]
impl ConversationImport for InMemoryDatabase {
    async fn begin_import(&self) -> Result<Box<dyn ImportTransaction>, StoreError> {
        let tables = self.tables();
        let copy = Tables {
            channels: tables.channels.clone(),
            conversations: tables.conversations.clone(),
            imported: tables.imported.clone(),
            deleted: tables.deleted.clone(),
            transcript: tables.transcript.clone(),
            ..Tables::default()
        };
        drop(tables);
        Ok(Box::new(Copy { database: self.clone(), tables: copy }))
    }
}

#[async_trait::async_trait]
impl ImportTransaction for Copy {
    async fn take_in(
        &mut self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> Result<TakenIn, StoreError> {
        let tables = &mut self.tables;
        let known = tables.imported.get(external_id).copied().filter(|id| tables.conversation(*id).is_ok());
        if known.is_none() {
            let twin = |c: &Conversation| c.id == conversation.id || c.ref_code == conversation.ref_code;
            if tables.conversations.values().any(twin) {
                return Err(StoreError::AlreadyExists("conversation"));
            }
            if !tables.channels.contains_key(&conversation.channel_id) {
                return Err(StoreError::Refused("no such channel".into()));
            }
            tables.conversations.insert(conversation.id, conversation.clone());
            tables.imported.insert(external_id.to_owned(), conversation.id);
        }
        let (added, _, replaced) = tables.bring_in(known.unwrap_or(conversation.id), messages)?;
        Ok(TakenIn { new: known.is_none(), added, replaced })
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { database, tables: copy } = *self;
        let mut tables = database.tables();
        tables.conversations = copy.conversations;
        tables.imported = copy.imported;
        tables.transcript = copy.transcript;
        for topic in [Topic::Channels, Topic::Transcript] {
            tables.announce(topic);
        }
        drop(tables);
        Ok(())
    }
}
