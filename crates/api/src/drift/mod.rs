//! Use cases of canon drift. They are the worldbuilder's alone: a contradiction may be about what only some know.

pub mod view;

use inklings_application::{drift::Settlement, error::AppError, session::Session};
use inklings_domain::{
    calendar::span::Span,
    drift::{Drift, DriftState, Item, Side},
    ids::DriftId,
};
use inklings_ports::{drift::DriftCursor, store_error::StoreError};

use self::view::{DriftPage, DriftRequest, DriftSettlement, DriftSide, DriftView};
use crate::{
    calendar::read_span,
    commands::DriftCommands,
    conversation::convert,
    error::CommandError,
    fact::fact_views,
    lens,
    wire::{count, cursor, time},
};

impl DriftCommands<'_> {
    /// A page of contradictions, newest first. Looks first at what was written since the last look.
    ///
    /// # Errors
    /// [`CommandError`] of code `invalid` for an invalid cursor.
    pub async fn list_drifts(&self, request: DriftRequest) -> Result<DriftPage, CommandError> {
        let session = self.app.session()?;
        let after = cursor::after(request.after.as_deref())?;
        let after = after.map(|(created_at, id)| DriftCursor { created_at, id });
        if after.is_none() {
            match session.drifts().look().await {
                // What was found before can still be read.
                Ok(_) | Err(AppError::Store(StoreError::ReadOnly | StoreError::DiskFull)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let state = request.state.map(DriftState::from);
        let page = session.drifts().page(state, after, request.limit as usize).await?;
        let mut rows = Vec::with_capacity(page.rows.len());
        for drift in &page.rows {
            rows.push(self.view(&session, drift).await?);
        }
        let is_first = request.after.is_none() && state.is_none_or(|state| state == DriftState::Open);
        let claimed = if is_first { session.drifts().claimed_facts().await? } else { Vec::new() };
        let claimed = fact_views(&session, &claimed).await?;
        Ok(DriftPage { rows, claimed, next: page.next.map(|next| cursor::text(&(next.created_at, next.id))) })
    }

    /// Number of open contradictions as of the last look, and of facts with an open claim.
    pub async fn count_drifts(&self) -> Result<u32, CommandError> {
        Ok(count(self.app.session()?.drifts().count_open().await?))
    }

    /// Settles a contradiction.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`; `locked` for an agent; `invalid` if it is settled, a side was changed since, or
    /// something that the decision needs is missing.
    pub async fn settle_drift(
        &self,
        id: &str,
        settlement: DriftSettlement,
    ) -> Result<DriftView, CommandError> {
        let session = self.app.session()?;
        let id: DriftId = crate::wire::id("id", id)?;
        let settlement = match settlement {
            DriftSettlement::CanonStands => Settlement::CanonStands,
            DriftSettlement::CanonChanges { text } => Settlement::CanonChanges { text },
            DriftSettlement::Both { canon, statement, calendar } => {
                let calendar = calendar.as_deref();
                let canon = span(&session, canon.as_deref(), calendar).await?;
                Settlement::Both { canon, statement: span(&session, statement.as_deref(), calendar).await? }
            }
            DriftSettlement::Belief { knowers } => {
                Settlement::Belief { knowers: lens::knowers_named(&session, &knowers).await? }
            }
            DriftSettlement::Dismiss => Settlement::Dismiss,
            DriftSettlement::DeriveAgain => Settlement::DeriveAgain,
        };
        session.drifts().settle(id, settlement, self.app.actor).await?;
        self.view(&session, &session.drifts().get(id).await?).await
    }

    async fn view(&self, session: &Session, drift: &Drift) -> Result<DriftView, CommandError> {
        let (of_canon, of_statement) = session.drifts().sentences(drift).await?;
        let mut canon = self.side(session, drift.canon, of_canon).await?;
        if let Item::Page(_) = drift.canon.item {
            (canon.page, canon.text) = session.drifts().passage(drift).await?;
            // That it has changed is what is decided about; also one that is gone.
            canon.changed_since = false;
        }
        Ok(DriftView {
            id: drift.id.to_string(),
            state: drift.state.into(),
            canon,
            statement: self.side(session, drift.statement, of_statement).await?,
            decision: drift.decision.map(Into::into),
            change_id: drift.change.map(|id| id.to_string()),
            created_at: time(drift.created_at),
            settled_at: drift.settled_at.map(time),
        })
    }

    async fn side(
        &self,
        session: &Session,
        side: Side,
        sentences: Vec<String>,
    ) -> Result<DriftSide, CommandError> {
        let mut view = DriftSide {
            kind: side.item.kind().into(),
            id: side.item.to_string(),
            version: count(side.version),
            text: String::new(),
            memory: None,
            fact: None,
            message: None,
            page: None,
            sentences,
            changed_since: true,
        };
        match side.item {
            Item::Memory(id) => {
                let stored = session.entries(&[id]).await?;
                view.memory = self.app.memory().rows(&stored).await?.pop();
                if let Some(stored) = stored.first() {
                    view.text.clone_from(&stored.entry.content);
                    view.changed_since = stored.entry.version != side.version;
                }
            }
            Item::Fact(id) => match session.facts().by_id(id).await {
                Ok(known) => {
                    view.text.clone_from(&known.fact.value);
                    view.changed_since = known.fact.version != side.version;
                    view.fact = fact_views(session, &[known]).await?.pop();
                }
                Err(AppError::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            },
            Item::Message(id) => match session.transcripts().get(id).await {
                Ok(message) => {
                    view.text.clone_from(&message.body.content);
                    view.changed_since = false;
                    view.message = Some(convert::message(&message));
                }
                Err(AppError::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            },
            Item::Page(_) => {}
        }
        Ok(view)
    }
}

async fn span(
    session: &Session,
    dates: Option<&str>,
    calendar: Option<&str>,
) -> Result<Option<Span>, CommandError> {
    match dates {
        Some(dates) => Ok(Some(read_span(&session.calendars(), Some(dates), calendar).await?)),
        None => Ok(None),
    }
}
