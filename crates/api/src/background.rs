//! Background work of a long-lived shell: change events, the backfill of vectors, and tasks.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use inklings_application::session::Session;
use inklings_ports::{
    progress::Progress,
    workspace::settings::{ChangeFeed, Changes, Topic},
};
use tokio::sync::Notify;

use crate::{App, ChangeTopic, Event, Events, schedule::Scheduler, vault::background::VaultScans};

/// Poll interval for changes by other processes, well below the promised second.
const POLL: Duration = Duration::from_millis(250);
/// Interval at which answers of dead writers are settled.
const SETTLE_EVERY: Duration = Duration::from_mins(1);
/// Interval of the backfill of vectors when nothing else triggers it.
const BACKFILL_EVERY: Duration = Duration::from_mins(30);

/// Background tasks that run as long as the shell.
#[derive(Clone)]
pub struct Background {
    app: Arc<App>,
    events: Arc<dyn Events>,
    work: Arc<Notify>,
    tasks: Arc<Notify>,
    vaults: Arc<Notify>,
}

struct EmbedReporter(Arc<dyn Events>);

impl Progress for EmbedReporter {
    fn report(&self, done: u64, total: u64) {
        let (done, total) = (crate::wire::count(done), crate::wire::count(total));
        self.0.send(Event::EmbedProgress { done, total });
    }

    fn cancelled(&self) -> bool {
        false
    }
}

impl Background {
    /// Starts loading the model, watching for changes and vaults, backfilling vectors and running tasks, on the current runtime.
    pub fn start(app: Arc<App>, events: Arc<dyn Events>) -> Self {
        let notify = || Arc::new(Notify::new());
        let background = Self { app, events, work: notify(), tasks: notify(), vaults: notify() };
        let (app, events) = (Arc::clone(&background.app), Arc::clone(&background.events));
        tokio::spawn(Scheduler::new(app, events, Arc::clone(&background.tasks)).run());
        let (app, events) = (Arc::clone(&background.app), Arc::clone(&background.events));
        tokio::spawn(VaultScans::new(app, events, Arc::clone(&background.vaults)).run());
        tokio::spawn(background.clone().watch());
        tokio::spawn(crate::backup::run_automatic_backups(Arc::clone(&background.app)));
        tokio::spawn(background.clone().backfill());
        background
    }

    /// Triggers a backfill soon.
    pub fn wake(&self) {
        self.work.notify_one();
    }

    async fn watch(self) {
        let mut day = self.app.clock.now().date_naive();
        let mut vectors = None;
        let mut settled: Option<Instant> = None;
        let mut tick = tokio::time::interval(POLL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                () = self.app.written.notified() => {}
            }
            let Changes { topics, journalled } = self.changes().await;
            for topic in topics {
                if matches!(topic, Topic::Memories | Topic::Transcript | Topic::Pages) {
                    self.wake();
                }
                // A vault may have been linked.
                if matches!(topic, Topic::Pages | Topic::Workspaces) {
                    self.vaults.notify_one();
                }
                // A conversation may have ended.
                if topic == Topic::Channels {
                    self.tasks.notify_one();
                }
                let changes = journalled.as_ref().filter(|_| topic == Topic::Memories);
                let changes = changes.map(|ids| ids.iter().map(ToString::to_string).collect());
                self.events.send(Event::DataChanged { topic: topic.into(), changes });
            }
            self.watch_other_workspaces().await;
            // Answers computed before the vectors were loaded are stale once they are loaded.
            let ready = self.app.memory().vectors_ready();
            if ready == Some(true) && vectors != ready {
                self.events.send(Event::changed(ChangeTopic::Models));
            }
            vectors = ready;
            if settled.is_none_or(|at| at.elapsed() >= SETTLE_EVERY) {
                settled = Some(Instant::now());
                self.app.conversation().settle_lost_answers().await;
            }
            let today = self.app.clock.now().date_naive();
            if today != day {
                day = today;
                if let Err(error) = self.app.settings().apply_decay().await {
                    tracing::warn!(%error, "the new day could not be noted");
                }
            }
        }
    }

    /// Polls the account and the workspace in use.
    async fn changes(&self) -> Changes {
        let session = self.app.session_if_open();
        let mut feeds = vec![Arc::clone(&self.app.account.memory.feed)];
        if let Some(session) = &session {
            feeds.extend(feeds_of(session));
        }
        polled(&feeds).await
    }

    /// Polls the workspaces that only clients use.
    async fn watch_other_workspaces(&self) {
        let others = self.app.client().sessions_of_other_workspaces().await;
        let feeds: Vec<_> = others.iter().flat_map(|session| feeds_of(session)).collect();
        let topics = polled(&feeds).await.topics;
        if topics.is_empty() {
            return;
        }
        if topics.iter().any(|topic| matches!(topic, Topic::Memories | Topic::Transcript)) {
            self.wake();
        }
        if topics.contains(&Topic::Channels) {
            self.tasks.notify_one();
        }
        self.events.send(Event::OtherWorkspaceChanged);
    }

    async fn backfill(self) {
        let progress = EmbedReporter(Arc::clone(&self.events));
        // The model may be loaded before this begins, and a page may have asked before that.
        let mut is_first = true;
        loop {
            let is_loaded = self.app.model().load_all_models().await;
            if std::mem::take(&mut is_first) || is_loaded {
                self.events.send(Event::changed(ChangeTopic::Models));
            }
            match self.app.model().embed_pending(&progress).await {
                Ok(0) => {}
                Ok(_) => self.app.look_for_changes(),
                Err(error) => tracing::warn!(%error, "the backfill stopped; it will be tried again"),
            }
            // Waits for a write, a workspace with another model, or the interval, whichever is first.
            tokio::select! {
                () = self.work.notified() => {}
                () = self.app.models.wanted.notified() => {}
                () = tokio::time::sleep(BACKFILL_EVERY) => {}
            }
        }
    }
}

/// The change feeds of a workspace: of its memory and of its pages.
fn feeds_of(session: &Session) -> [Arc<dyn ChangeFeed>; 2] {
    [Arc::clone(&session.workspace.memory.feed), Arc::clone(&session.workspace.page_feed)]
}

/// What changed since these feeds were polled last.
async fn polled(feeds: &[Arc<dyn ChangeFeed>]) -> Changes {
    let mut changes = Changes::default();
    for feed in feeds {
        match feed.poll().await {
            Ok(more) => changes = changes.and(more),
            // The database was busy; the next tick retries.
            Err(error) => tracing::debug!(%error, "the change feed did not answer"),
        }
    }
    changes
}
