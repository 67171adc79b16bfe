//! The facts of a conversation that is purged. A fact is destroyed if all of its values are from there. Any other gets its newest
//! value from elsewhere again, and keeps its history without the values from there.

use inklings_domain::{
    fact::{Fact, FactSource, of_key::FactsOfKey},
    ids::ConversationId,
};
use inklings_ports::store_error::StoreError;
use sqlx::SqliteConnection;

use crate::{
    error::DbResult,
    fact::{facts_within, history_within, of_key_within, write_next},
    rows::{json_list, moment},
};

/// All values of facts, the current ones too.
macro_rules! values {
    () => {
        "WITH vals (fact_id, version, conversation_id, value) AS ( \
           SELECT id, version, conversation_id, value FROM facts \
           UNION ALL SELECT fact_id, version, conversation_id, value FROM fact_values) "
    };
}

/// The condition on a fact `id` that has values from the conversation `?1` and no others.
macro_rules! only_from_there {
    () => {
        "id IN (SELECT fact_id FROM vals WHERE conversation_id = ?1) \
         AND id NOT IN (SELECT fact_id FROM vals WHERE conversation_id IS NOT ?1 AND value <> '')"
    };
}

/// The facts that a purge of the conversation `?1` destroys.
pub(super) const DESTROYED: &str =
    concat!(values!(), "SELECT id, version FROM facts WHERE ", only_from_there!(), " ORDER BY id");

/// The values from the conversation `?1` of the facts that stay.
pub(super) const EMPTIED: &str = concat!(
    values!(),
    "SELECT fact_id || '@' || version, version FROM vals WHERE conversation_id = ?1 AND value <> '' \
     AND fact_id NOT IN (SELECT id FROM facts WHERE ",
    only_from_there!(),
    ") ORDER BY 1"
);

/// The claims that were made in the conversation `?1`, and those against facts that go.
pub(super) const CLAIMS: &str = concat!(
    values!(),
    "SELECT id, state <> 'open' FROM fact_claims WHERE conversation_id = ?1 OR fact_id IN (SELECT id FROM facts WHERE ",
    only_from_there!(),
    ") ORDER BY id"
);

/// Gives each of these facts whose current value is from the conversation its newest value from elsewhere, as a new version.
/// One whose time is taken by then is removed.
pub(super) async fn take_back(
    conn: &mut SqliteConnection,
    workspace: &str,
    conversation: ConversationId,
    ids: &[&str],
    at: i64,
) -> DbResult<()> {
    let at = moment(at, "at")?;
    let mut waiting: Vec<Fact> = facts_within(conn, workspace, &json_list(ids)).await?;
    waiting.retain(|fact| fact.conversation == Some(conversation) && fact.removed_at.is_none());
    while !waiting.is_empty() {
        let mut taken = Vec::new();
        let before = waiting.len();
        for fact in waiting {
            let history = history_within(conn, workspace, &fact.id.to_string()).await?;
            let of_key = of_key_within(conn, workspace, &fact.key).await?;
            match FactsOfKey(&of_key).without_conversation(&fact, &history, conversation, at) {
                Ok(next) => put(conn, workspace, &next).await?,
                // By a fact that may get another time in its turn.
                Err(_) => taken.push(fact),
            }
        }
        if taken.len() == before {
            put(conn, workspace, &taken.remove(0).with_earlier(None, at)).await?;
        }
        waiting = taken;
    }
    Ok(())
}

async fn put(conn: &mut SqliteConnection, workspace: &str, next: &Fact) -> DbResult<()> {
    // The guards accept it of the worldbuilder, who purges.
    if write_next(conn, workspace, next, FactSource::User).await? {
        Ok(())
    } else {
        Err(StoreError::Moved("fact").into())
    }
}
