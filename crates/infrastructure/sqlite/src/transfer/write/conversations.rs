//! What conversations of a file continue, once all of them are there.

use super::Writer;
use crate::error::DbResult;

impl Writer {
    /// Links each conversation to the one that it continues, and sets what it shares of that one.
    pub(super) async fn link_conversations(&mut self) -> DbResult<()> {
        for (id, from, shares, last) in std::mem::take(&mut self.pending) {
            // What goes on with a conversation has its lens, so one with another lens shares none of its messages.
            sqlx::query(
                "UPDATE conversations AS t SET last_position = max(last_position, ?1, coalesce(?5, 0)), continues_id = c.id, \
                 shares_through = iif(c.id IS NULL OR t.knower_id IS NOT c.knower_id OR t.as_of IS NOT c.as_of \
                                      OR t.as_of_chapter IS NOT c.as_of_chapter, NULL, ?5) \
                 FROM (SELECT max(id) AS id, knower_id, as_of, as_of_chapter FROM conversations \
                       WHERE workspace_id = ?2 AND id = ?3) AS c WHERE t.workspace_id = ?2 AND t.id = ?4",
            )
            .bind(last)
            .bind(self.store.workspace())
            .bind(from)
            .bind(id)
            .bind(shares)
            .execute(&mut *self.tx)
            .await?;
        }
        Ok(())
    }
}
