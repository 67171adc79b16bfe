//! Commands on the author's recall tests.

pub mod view;

use std::collections::HashMap;

use inklings_application::{error::AppError, session::Session};
use inklings_domain::{
    ids::ChannelId,
    lens::Lens,
    orientation::ItemId,
    recall_test::{Cause, Expectation, Must, RecallRun, RecallTest, RecallTestDraft, Turned},
};

use self::view::{
    RecallExpectation, RecallFailure, RecallKind, RecallTestRequest, RecallTestView, RecallTurned,
};
use crate::{
    commands::RecallTestCommands,
    error::CommandError,
    orientation::{label, labels},
    wire::{count, time},
};

impl RecallTestCommands<'_> {
    /// All recall tests with their last results, oldest first.
    pub async fn list_recall_tests(&self) -> Result<Vec<RecallTestView>, CommandError> {
        let session = self.app.session()?;
        let tests = session.recall_tests().list().await?;
        views(&session, &tests).await
    }

    /// Adds a recall test and runs it.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an unknown item, knower, chapter or channel, or `invalid`.
    pub async fn add_recall_test(&self, request: RecallTestRequest) -> Result<RecallTestView, CommandError> {
        let session = self.app.session()?;
        let mut expects = Vec::new();
        for (ids, must) in [(&request.come, Must::Come), (&request.stay_away, Must::StayAway)] {
            for id in ids {
                expects.push(Expectation { item: session.recall_tests().item(id).await?, must });
            }
        }
        let channel = match request.channel_id.as_deref() {
            Some(id) => Some(session.channels().by_id(crate::wire::id("channelId", id)?).await?.id),
            None => None,
        };
        let lens = match &request.lens {
            Some(spec) => crate::lens::lens_of(&session, spec).await?,
            None => Lens::NONE,
        };
        let about = (lens, channel, request.budget.map(u64::from));
        let draft = RecallTestDraft::new(&request.question, expects, about);
        let draft = draft.map_err(AppError::from)?;
        let test = session.recall_tests().add(draft).await?;
        one(&session, test).await
    }

    /// Removes a recall test.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found`.
    pub async fn remove_recall_test(&self, id: &str) -> Result<(), CommandError> {
        let id = crate::wire::id("id", id)?;
        Ok(self.app.session()?.recall_tests().remove(id).await?)
    }

    /// Runs the recall tests with these ids, or all of them if none is given.
    ///
    /// # Errors
    /// [`CommandError`] of code `not_found` for an id without a test.
    pub async fn run_recall_tests(&self, ids: &[String]) -> Result<Vec<RecallTestView>, CommandError> {
        let session = self.app.session()?;
        let ids = ids.iter().map(|id| crate::wire::id("id", id)).collect::<Result<Vec<_>, _>>()?;
        let tests = session.recall_tests().run(&ids).await?;
        views(&session, &tests).await
    }

    /// Runs all recall tests of the open workspace after other rates of decay were set.
    pub(crate) async fn run_after_decay(&self) {
        if let Some(session) = self.app.session_if_open() {
            session.recall_tests().run_after(Cause::Decay).await;
        }
    }
}

async fn one(session: &Session, test: RecallTest) -> Result<RecallTestView, CommandError> {
    let id = test.id;
    let view = views(session, &[test]).await?.pop();
    view.ok_or_else(|| AppError::NotFound { what: "recall test", name: id.to_string() }.into())
}

async fn views(session: &Session, tests: &[RecallTest]) -> Result<Vec<RecallTestView>, CommandError> {
    let items = tests.iter().flat_map(|test| test.draft.expects()).map(|expected| expected.item);
    let labels = labels(session, items, None).await?;
    let mut channels: HashMap<ChannelId, Option<String>> = HashMap::new();
    let mut views = Vec::with_capacity(tests.len());
    for test in tests {
        if let Some(id) = test.draft.channel
            && !channels.contains_key(&id)
        {
            let found = session.channels().by_id(id).await.ok();
            channels.insert(id, found.map(|channel| channel.name.as_str().to_owned()));
        }
        let channel = test.draft.channel.and_then(|id| channels.get(&id).cloned().flatten());
        let lens = crate::lens::lens_view(session, test.draft.lens).await?;
        let last = test.last.as_ref();
        let expectation = |expected: &Expectation| {
            let failures = last.map(|last| last.failures.as_slice()).unwrap_or_default();
            let failure = failures.iter().find(|failure| failure.expectation.item == expected.item);
            RecallExpectation {
                kind: if matches!(expected.item, ItemId::Fact(_)) {
                    RecallKind::Fact
                } else {
                    RecallKind::Memory
                },
                id: expected.item.id(),
                label: label(&labels, &expected.item),
                must: expected.must.into(),
                failure: failure.map(|failure| RecallFailure {
                    rule: failure.rule.into(),
                    rank: failure.rank.map(|(rank, _)| count(rank)),
                    of: failure.rank.and_then(|(_, of)| of).map(count),
                }),
            }
        };
        views.push(RecallTestView {
            id: test.id.to_string(),
            question: test.draft.question().to_owned(),
            lens,
            channel_id: test.draft.channel.map(|id| id.to_string()),
            channel,
            budget: test.draft.budget().map(count),
            expects: test.draft.expects().iter().map(expectation).collect(),
            created_at: time(test.created_at),
            run_at: last.map(|last| time(last.at)),
            passed: last.map(RecallRun::passed),
            turned: last.and_then(|last| last.turned).map(turned),
        });
    }
    Ok(views)
}

fn turned(turned: Turned) -> RecallTurned {
    RecallTurned {
        at: time(turned.at),
        by: turned.by.into(),
        run_id: turned.by.run().map(|run| run.to_string()),
    }
}
