//! Imports conversations in one transaction. If the process is killed, only uncommitted log frames remain.

use std::collections::{HashMap, HashSet};

use inklings_domain::{
    conversation::{Conversation, message::NewMessage},
    ids::ConversationId,
};
use inklings_ports::{
    conversation::import_store::{ConversationImport, ImportTransaction, TakenIn},
    store_error::StoreError,
};
use sqlx::{Sqlite, SqliteConnection, Transaction};

use crate::error::DbResult;
use crate::{rows::parsed, store::SqliteStore};

/// A running import. Rolled back when dropped.
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
    async fn id_of_external(&mut self, external_id: &str) -> DbResult<Option<ConversationId>> {
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
        let known = self.id_of_external(external_id).await?;
        let id = known.unwrap_or(conversation.id);
        let (store, conn) = (&self.store, &mut *self.tx);
        let mut taken = TakenIn { new: known.is_none(), added: 0, replaced: 0 };
        if taken.new {
            store.insert_conversation(conn, conversation, Some(external_id)).await?;
        }
        let mut position = store.standing(conn, id).await?.last_position;
        // A repeated export mostly contains known messages, so all imported messages are read at once.
        let there = if taken.new { HashMap::new() } else { store.imported(conn, id).await? };
        let (mut written, mut added) = (HashSet::new(), Vec::new());
        for new in messages {
            let former = new.origin.as_ref().and_then(|origin| origin.external_id.as_deref());
            let twice = former.is_some_and(|former| !written.insert(former));
            if twice {
                // It replaces one that may be among these.
                position = store.append_imported(conn, id, position, &mut added).await?;
            }
            let replaced = match former.and_then(|former| there.get(former)) {
                Some((_, text)) if !twice && *text == new.content => Some(false),
                Some((seq, _)) => Some(store.rewrite_imported(conn, *seq, new).await?),
                None if twice => store.replace_imported(conn, id, new).await?,
                None => None,
            };
            if let Some(changed) = replaced {
                taken.replaced += usize::from(changed);
            } else {
                added.push(new);
                taken.added += 1;
            }
        }
        store.append_imported(conn, id, position, &mut added).await?;
        if taken.added > 0 {
            store.settle_activity(conn, id).await?;
        }
        Ok(taken)
    }
}

impl SqliteStore {
    /// Adds messages after a position, which leaves the list empty. Returns the last position.
    async fn append_imported(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
        last: i64,
        added: &mut Vec<&NewMessage>,
    ) -> DbResult<i64> {
        self.insert_messages(conn, conversation, last + 1, added).await?;
        let last = last + added.len() as i64;
        added.clear();
        Ok(last)
    }

    /// The imported messages of a conversation by their former ids: rowid and text.
    async fn imported(
        &self,
        conn: &mut SqliteConnection,
        conversation: ConversationId,
    ) -> DbResult<HashMap<String, (i64, String)>> {
        let found: Vec<(String, i64, String)> = sqlx::query_as(
            "SELECT external_id, seq, content FROM messages \
             WHERE workspace_id = ? AND conversation_id = ? AND external_id IS NOT NULL",
        )
        .bind(self.workspace())
        .bind(conversation.to_string())
        .fetch_all(conn)
        .await?;
        Ok(found.into_iter().map(|(former, seq, text)| (former, (seq, text))).collect())
    }
}
