//! The author's recall tests. A run builds the orientation of each question, without a record in the ledger and without a
//! counted use, and compares it with what is expected. It changes nothing but the result of the test.

use chrono::Duration;
use inklings_domain::{
    ids::{FactId, MemoryId, RecallTestId},
    orientation::{ItemId, Rule},
    recall_test::{
        Cause, Expectation, Failure, InvalidRecallTest, MAX_TESTS, Must, RecallTest, RecallTestDraft,
    },
    search::conversation_query::ConversationQuery,
};
use inklings_ports::store_error::StoreError;

use crate::{
    error::AppError,
    orientation::{OrientRequest, Oriented},
    services::RecallTests,
};

/// Time for the vectors to load.
const VECTORS_WITHIN: Duration = Duration::seconds(10);

impl RecallTests<'_> {
    /// Adds a test, and runs it.
    ///
    /// # Errors
    /// [`AppError::NoMemory`] or [`AppError::NotFound`] for an item that is not there; [`AppError::RecallTest`] if there are
    /// too many.
    pub async fn add(&self, draft: RecallTestDraft) -> Result<RecallTest, AppError> {
        for expected in draft.expects() {
            self.check_item(expected.item).await?;
        }
        if self.list().await?.len() >= MAX_TESTS {
            return Err(InvalidRecallTest::Full.into());
        }
        self.session.lenses().resolve(draft.lens).await?;
        let test = RecallTest {
            id: self.session.ids.recall_test_id(),
            draft,
            created_at: self.session.clock.now(),
            last: None,
        };
        let model = self.loaded_model().await;
        let failures = self.failures_of(&test).await?;
        let test = test.after(Cause::Asked, self.session.clock.now(), model, failures);
        self.session.workspace.recall_tests.put(&test).await?;
        Ok(test)
    }

    /// The item that an id stands for: a memory, or a fact.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if it is neither.
    pub async fn item(&self, id: &str) -> Result<ItemId, AppError> {
        let gone = || AppError::NotFound { what: "memory or fact", name: id.chars().take(64).collect() };
        let as_memory: MemoryId = id.parse().map_err(|_| gone())?;
        if !self.session.entries(&[as_memory]).await?.is_empty() {
            return Ok(ItemId::Memory(as_memory));
        }
        let as_fact: FactId = id.parse().map_err(|_| gone())?;
        self.check_item(ItemId::Fact(as_fact)).await.map_err(|_| gone())?;
        Ok(ItemId::Fact(as_fact))
    }

    async fn check_item(&self, item: ItemId) -> Result<(), AppError> {
        match item {
            ItemId::Memory(id) => self.session.entry(id).await.map(|_| ()),
            ItemId::Fact(id) => match self.session.workspace.facts.fact_by_id(id).await? {
                Some(_) => Ok(()),
                None => Err(AppError::NotFound { what: "fact", name: id.to_string() }),
            },
            ItemId::Episode(_) | ItemId::Message(_) | ItemId::Pattern(_) | ItemId::Page(_) => {
                Err(AppError::Input {
                    field: "expects",
                    message: "a test expects memories and facts".to_owned(),
                })
            }
        }
    }

    /// All tests with their last results, oldest first.
    pub async fn list(&self) -> Result<Vec<RecallTest>, AppError> {
        Ok(self.session.workspace.recall_tests.list().await?)
    }

    /// Removes a test.
    ///
    /// # Errors
    /// [`AppError::NotFound`] if there is none with this id.
    pub async fn remove(&self, id: RecallTestId) -> Result<(), AppError> {
        if self.session.workspace.recall_tests.remove(id).await? {
            return Ok(());
        }
        Err(AppError::NotFound { what: "recall test", name: id.to_string() })
    }

    /// Runs the tests with these ids, or all of them. In a folder that cannot be written the results are returned and not
    /// stored.
    ///
    /// # Errors
    /// [`AppError::NotFound`] for an id without a test.
    pub async fn run(&self, only: &[RecallTestId]) -> Result<Vec<RecallTest>, AppError> {
        let mut tests = self.list().await?;
        if let Some(id) = only.iter().find(|id| !tests.iter().any(|test| test.id == **id)) {
            return Err(AppError::NotFound { what: "recall test", name: id.to_string() });
        }
        tests.retain(|test| only.is_empty() || only.contains(&test.id));
        self.run_these(tests, Cause::Asked).await
    }

    /// Runs all tests after an act that may have turned one. Never fails, because a test must not fail the act.
    pub async fn run_after(&self, cause: Cause) {
        if let Err(error) = Box::pin(self.run_all(cause)).await {
            tracing::warn!(%error, "the recall tests were not run");
        }
    }

    /// Runs all tests after an act.
    ///
    /// # Errors
    /// [`AppError::Store`] if a database fails.
    pub(crate) async fn run_all(&self, cause: Cause) -> Result<Vec<RecallTest>, AppError> {
        self.run_these(self.list().await?, cause).await
    }

    /// Runs all tests if one was not run yet, or with another embedding model than the one in use.
    pub async fn run_after_embedding(&self) {
        let Some(embedder) = self.session.embedder.get() else { return };
        let model = embedder.model().id.to_string();
        let Ok(tests) = self.list().await else { return };
        let is_other =
            |test: &RecallTest| test.last.as_ref().is_none_or(|last| last.model.as_deref() != Some(&model));
        if tests.iter().any(is_other) {
            self.run_after(Cause::Model).await;
        }
    }

    async fn run_these(&self, tests: Vec<RecallTest>, cause: Cause) -> Result<Vec<RecallTest>, AppError> {
        if tests.is_empty() {
            return Ok(tests);
        }
        let model = self.loaded_model().await;
        let mut done = Vec::with_capacity(tests.len());
        for test in tests {
            let failures = self.failures_of(&test).await?;
            done.push(test.after(cause, self.session.clock.now(), model.clone(), failures));
        }
        match self.session.workspace.recall_tests.put_runs(&done).await {
            Ok(()) | Err(StoreError::ReadOnly | StoreError::DiskFull) => Ok(done),
            Err(error) => Err(error.into()),
        }
    }

    /// The embedding model in use once all its vectors are loaded. A run before that would find less than a turn does.
    /// `None` if there is no model, or if it takes too long.
    async fn loaded_model(&self) -> Option<String> {
        let model = self.session.embedder.get()?.model().id;
        self.session.embeddings().wait_until_loaded(VECTORS_WITHIN).await.then(|| model.to_string())
    }

    async fn failures_of(&self, test: &RecallTest) -> Result<Vec<Failure>, AppError> {
        let draft = &test.draft;
        if let Some(channel) = draft.channel {
            match self.session.channels().by_id(channel).await {
                Ok(_) => {}
                Err(AppError::NotFound { .. }) => return Ok(all_failed(draft, Rule::ChannelGone)),
                Err(error) => return Err(error),
            }
        }
        let lens = match self.session.lenses().resolve(draft.lens).await {
            Ok(lens) => lens,
            Err(AppError::NotFound { .. }) => return Ok(all_failed(draft, Rule::LensGone)),
            Err(error) => return Err(error),
        };
        let request = OrientRequest {
            channel: draft.channel,
            query: ConversationQuery::Next(draft.question().to_owned()),
            budget: draft.budget(),
            without_lens: lens.is_none(),
            lens,
            ..OrientRequest::default()
        };
        let oriented = self.session.orientations().orient(request.clone()).await?;
        let mut failures = Vec::new();
        for expectation in draft.expects() {
            let came = oriented.took(expectation.item);
            if came == (expectation.must == Must::Come) {
                continue;
            }
            failures.push(self.failure(&request, &oriented, *expectation).await?);
        }
        Ok(failures)
    }

    /// Why an expectation was not met.
    async fn failure(
        &self,
        request: &OrientRequest<'_>,
        oriented: &Oriented,
        expectation: Expectation,
    ) -> Result<Failure, AppError> {
        let items = &oriented.document.items;
        let found = items.iter().find(|item| item.id == expectation.item && item.left_out.is_none());
        let found = found.or_else(|| items.iter().find(|item| item.id == expectation.item));
        if let (Must::StayAway, Some(item)) = (expectation.must, found) {
            let layer = items.iter().filter(|other| other.layer == item.layer);
            let before = layer.take_while(|other| other.id != item.id).count();
            return Ok(Failure { expectation, rule: Rule::Taken, rank: Some((before as u64 + 1, None)) });
        }
        let ItemId::Memory(id) = expectation.item else {
            let rule = match (found.and_then(|item| item.left_out), self.check_item(expectation.item).await) {
                (Some(left_out), _) => left_out.into(),
                (None, Ok(())) => Rule::NoMatch,
                (None, Err(_)) => Rule::Gone,
            };
            return Ok(Failure { expectation, rule, rank: None });
        };
        match self.session.orientations().why(request.clone(), id).await {
            Ok(why) => {
                let rank = why.rank.map(|rank| (rank.rank as u64, rank.of.map(|of| of as u64)));
                Ok(Failure { expectation, rule: why.ruling.rule(), rank })
            }
            Err(AppError::NoMemory(_)) => Ok(Failure { expectation, rule: Rule::Gone, rank: None }),
            Err(error) => Err(error),
        }
    }
}

/// A test whose question could not be asked fails as a whole, also one for leaks: nothing was tested.
fn all_failed(draft: &RecallTestDraft, rule: Rule) -> Vec<Failure> {
    draft
        .expects()
        .iter()
        .map(|expectation| Failure { expectation: *expectation, rule, rank: None })
        .collect()
}
