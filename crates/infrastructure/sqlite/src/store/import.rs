//! Conversations from elsewhere: one transaction from the first to the last. Killed in the middle it leaves nothing but
//! a log that nobody reads.

use std::collections::HashSet;

use inklings_application::ports::{
    conversation_import::{ConversationImport, ImportTransaction, TakenIn},
    error::StoreError,
};
use inklings_domain::{conversation::Conversation, ids::ConversationId, message::NewMessage};
use sqlx::{Sqlite, Transaction};

use super::{SqliteStore, rows::parsed};
use crate::error::DbResult;

/// An import under way. Rolled back when dropped.
struct Import {
    store: SqliteStore,
    tx: Transaction<'static, Sqlite>,
}

#[async_trait::async_trait]
impl ConversationImport for SqliteStore {
    async fn begin_import(&self) -> Result<Box<dyn ImportTransaction>, StoreError> {
        let tx = self.public(self.db.begin_immediate().await)?;
        Ok(Box::new(Import { store: self.clone(), tx }))
    }
}

#[async_trait::async_trait]
impl ImportTransaction for Import {
    async fn take_in(
        &mut self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> Result<TakenIn, StoreError> {
        let taken = self.write(external_id, conversation, messages).await;
        self.store.public(taken)
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { store, tx } = *self;
        store.public(tx.commit().await.map_err(Into::into))
    }
}

impl Import {
    async fn known(&mut self, external_id: &str) -> DbResult<Option<ConversationId>> {
        let known: Option<String> = sqlx::query_scalar(
            "SELECT id FROM conversations WHERE workspace_id = ? AND external_id = ? AND deleted_at IS NULL",
        )
        .bind(self.store.workspace())
        .bind(external_id)
        .fetch_optional(&mut *self.tx)
        .await?;
        known.map(|id| parsed(&id, "id")).transpose()
    }

    async fn write(
        &mut self,
        external_id: &str,
        conversation: &Conversation,
        messages: &[NewMessage],
    ) -> DbResult<TakenIn> {
        let known = self.known(external_id).await?;
        let id = known.unwrap_or(conversation.id);
        let (store, conn) = (&self.store, &mut *self.tx);
        let mut taken = TakenIn { new: known.is_none(), added: 0, replaced: 0 };
        if taken.new {
            store.insert_conversation(conn, conversation, Some(external_id)).await?;
        }
        let mut position = store.standing(conn, id).await?.last_position;
        let mut written = HashSet::new();
        for new in messages {
            let former = new.origin.as_ref().and_then(|origin| origin.external_id.as_deref());
            // In a conversation that is new only this call itself can have written a message of the same former id.
            let may_be_there = former.is_some_and(|former| !written.insert(former)) || !taken.new;
            let replaced = if may_be_there { store.replace_imported(conn, id, new).await? } else { None };
            if let Some(changed) = replaced {
                taken.replaced += usize::from(changed);
            } else {
                position += 1;
                store.insert_message(conn, id, position, new).await?;
                taken.added += 1;
            }
        }
        store.settle_activity(conn, id).await?;
        Ok(taken)
    }
}
