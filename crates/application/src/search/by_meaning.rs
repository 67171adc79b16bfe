//! The embedding that stands for a query where it is compared by meaning.

use std::borrow::Cow;

use futures::future;
use inklings_domain::{memory::embedding::Embedding, search::people::may_name_somebody};
use inklings_ports::{
    model::embedding::{EmbedError, Embedder},
    store_error::StoreError,
};

use crate::session::Session;

/// The embedding of a query without the names of speakers. Every embedding of a query is made here, so that a search, its
/// explanation and an orientation compare the same.
///
/// # Errors
/// If a database cannot be read; inside, if the model fails.
pub async fn embedding(
    session: &Session,
    embedder: &dyn Embedder,
    query: &str,
) -> Result<Result<Embedding, EmbedError>, StoreError> {
    let text = without_speakers(session, query).await?;
    Ok(embedder.embed_query(&text).await)
}

async fn without_speakers<'q>(session: &Session, query: &'q str) -> Result<Cow<'q, str>, StoreError> {
    if !may_name_somebody(query) {
        return Ok(Cow::Borrowed(query));
    }
    let (messages, entries, account) = future::try_join3(
        session.workspace.transcript_search.speakers(),
        session.workspace.memory.search.speakers(),
        session.account.memory.search.speakers(),
    )
    .await?;
    let speakers = messages.and(entries).and(account);
    Ok(Cow::Owned(speakers.without_names(query).into_owned()))
}
