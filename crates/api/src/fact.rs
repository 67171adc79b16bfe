//! Fact use cases of [`App`].

use chrono::{DateTime, Utc};

use crate::conversation::conversations_by_id;
use crate::{
    commands::FactCommands,
    conversation::{
        convert as conversation,
        view::{FactList, FactPage, FactValueView, FactView, FactWrite},
    },
    error::CommandError,
    wire::cursor,
};
use inklings_application::{error::AppError, fact::store::FactWithClaims};
use inklings_domain::{
    ids::ConversationId,
    provenance::{Actor, ActorKind},
};

impl FactCommands<'_> {
    /// A page of the current facts, or of those valid at a given time.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid time or cursor.
    pub async fn list_facts(&self, request: FactList) -> Result<FactPage, CommandError> {
        let session = self.app.session()?;
        let category = request.category.as_deref();
        let limit = request.limit as usize;
        if let Some(at) = &request.as_of {
            let at = DateTime::parse_from_rfc3339(at)
                .map_err(|_| CommandError::invalid("asOf", "This is no time: use RFC 3339."))?
                .with_timezone(&Utc);
            let facts = session.facts().list_as_of(at, category, limit).await?;
            let places =
                conversations_by_id(&session, facts.iter().filter_map(|f| f.value.conversation).collect())
                    .await?;
            return Ok(FactPage {
                rows: facts.iter().map(|f| conversation::fact_at(f, &places)).collect(),
                next: None,
            });
        }
        let after = cursor::after(request.after.as_deref())?;
        let page = session.facts().list(category, after.as_ref(), limit).await?;
        let places = conversations_by_id(&session, conversation::conversations_of(&page.rows)).await?;
        Ok(FactPage {
            rows: page.rows.iter().map(|fact| conversation::fact(fact, &places)).collect(),
            next: page.next.as_ref().map(cursor::text),
        })
    }

    /// Sets a fact as an actor kind that this interface permits.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` if a rule is broken or the fact has this value already.
    pub async fn set_fact(
        &self,
        category: &str,
        key: &str,
        value: &str,
        conversation: Option<&str>,
        actor_kind: ActorKind,
    ) -> Result<FactWrite, CommandError> {
        let session = self.app.session()?;
        let actor = Actor::new(actor_kind, self.app.actor.interface(), None).map_err(AppError::from)?;
        let conversation: Option<ConversationId> = match conversation {
            Some(name) => Some(session.conversations().named(name).await?.id),
            None => None,
        };
        let set = session.facts().set(category, key, value, conversation, actor).await?;
        Ok(FactWrite { fact: self.fact_view(&set.fact).await?, claimed: set.claimed })
    }

    /// Looks up a fact by category and key.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn get_fact(&self, category: &str, key: &str) -> Result<FactView, CommandError> {
        let key = inklings_domain::fact::FactKey::new(category, key).map_err(AppError::from)?;
        let fact = self.app.session()?.facts().get(&key).await?;
        self.fact_view(&fact).await
    }

    /// Removes a fact's value and retains its history.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn remove_fact(&self, id: &str) -> Result<FactView, CommandError> {
        let removed = self.app.session()?.facts().remove(conversation::fact_id(id)?, self.app.actor).await?;
        self.fact_view(&FactWithClaims { fact: removed, claims: Vec::new() }).await
    }

    /// All values of a fact, newest first.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn fact_history(&self, id: &str) -> Result<Vec<FactValueView>, CommandError> {
        let session = self.app.session()?;
        let values = session.facts().history(conversation::fact_id(id)?).await?;
        let places =
            conversations_by_id(&session, values.iter().filter_map(|v| v.conversation).collect()).await?;
        Ok(values.iter().map(|value| conversation::fact_value(value, &places)).collect())
    }

    /// Accepts or rejects a claim that contradicts the worldbuilder's value.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` if it is settled already.
    pub async fn settle_claim(&self, id: &str, accept: bool) -> Result<FactView, CommandError> {
        let fact = self
            .app
            .session()?
            .facts()
            .settle_claim(crate::wire::id("id", id)?, accept, self.app.actor)
            .await?;
        self.fact_view(&fact).await
    }

    async fn fact_view(&self, fact: &FactWithClaims) -> Result<FactView, CommandError> {
        let session = self.app.session()?;
        let places = conversations_by_id(&session, conversation::conversations_of([fact])).await?;
        Ok(conversation::fact(fact, &places))
    }
}
