//! Background work of a long-lived shell: change events, the backfill of vectors, and tasks.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use inklings_application::{
    progress::Progress,
    workspace::settings::{Changes, Topic},
};
use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;
use tokio::sync::Notify;

use crate::{App, Event, Events, schedule::Scheduler};

/// Poll interval for changes by other processes, well below the promised second.
const POLL: Duration = Duration::from_millis(250);
/// Interval at which answers of dead writers are settled.
const SETTLE_EVERY: Duration = Duration::from_mins(1);
/// Interval of the backfill of vectors when nothing else triggers it.
const BACKFILL_EVERY: Duration = Duration::from_mins(30);

/// The subject of a change. Readers with cached answers reload on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ChangeTopic {
    /// Entries, their history, or their access counts.
    Memories,
    /// Channels or conversations.
    Channels,
    /// Messages, episodes, facts or scratchpad notes.
    Transcript,
    /// The list of workspaces, or which one is in use.
    Workspaces,
    /// Settings.
    Settings,
    /// Vectors or models.
    Models,
    /// Proposals.
    Proposals,
    /// Runs or tasks.
    Runs,
    /// Orientations of the World Agent.
    Orientations,
    /// Recall tests of the worldbuilder.
    RecallTests,
    /// Clients and their permissions.
    Clients,
    /// What agents did.
    AgentTelemetry,
}

impl From<Topic> for ChangeTopic {
    fn from(topic: Topic) -> Self {
        match topic {
            Topic::Memories => Self::Memories,
            Topic::Channels => Self::Channels,
            Topic::Transcript => Self::Transcript,
            Topic::Workspaces => Self::Workspaces,
            Topic::Settings => Self::Settings,
            Topic::Models => Self::Models,
            Topic::Proposals => Self::Proposals,
            Topic::Runs => Self::Runs,
            Topic::Orientations => Self::Orientations,
            Topic::RecallTests => Self::RecallTests,
            Topic::Clients => Self::Clients,
            Topic::AgentTelemetry => Self::AgentTelemetry,
        }
    }
}

/// State of a model download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ModelProgressState {
    /// Under way.
    Downloading,
    /// Done.
    Done,
    /// Stopped by an error.
    Failed,
    /// Cancelled by the worldbuilder.
    Cancelled,
}

/// Progress of a model download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DownloadProgress {
    /// Catalogue id of the model.
    pub model_id: String,
    /// Bytes downloaded so far.
    #[specta(type = Number)]
    pub downloaded: f64,
    /// Total bytes; 0 if unknown.
    #[specta(type = Number)]
    pub total: f64,
    /// State of the download.
    pub state: ModelProgressState,
    /// Error message for users.
    pub message: Option<String>,
}

/// Background tasks that run as long as the shell.
#[derive(Clone)]
pub struct Background {
    app: Arc<App>,
    events: Arc<dyn Events>,
    work: Arc<Notify>,
    tasks: Arc<Notify>,
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
    /// Starts loading the model, watching for changes, backfilling vectors and running tasks, on the current runtime.
    pub fn start(app: Arc<App>, events: Arc<dyn Events>) -> Self {
        let background = Self { app, events, work: Arc::new(Notify::new()), tasks: Arc::new(Notify::new()) };
        let (app, events) = (Arc::clone(&background.app), Arc::clone(&background.events));
        tokio::spawn(Scheduler::new(app, events, Arc::clone(&background.tasks)).run());
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
                if matches!(topic, Topic::Memories | Topic::Transcript) {
                    self.wake();
                }
                // A conversation may have ended.
                if topic == Topic::Channels {
                    self.tasks.notify_one();
                }
                let changes = journalled.as_ref().filter(|_| topic == Topic::Memories);
                let changes = changes.map(|ids| ids.iter().map(ToString::to_string).collect());
                self.events.send(Event::DataChanged { topic: topic.into(), changes });
            }
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

    async fn changes(&self) -> Changes {
        let session = self.app.session_if_open();
        let feeds = [Some(&self.app.account.memory), session.as_ref().map(|s| &s.workspace.memory)];
        let mut changes = Changes::default();
        for ports in feeds.into_iter().flatten() {
            match ports.feed.poll().await {
                Ok(more) => changes = changes.and(more),
                // The database was busy; the next tick retries.
                Err(error) => tracing::debug!(%error, "the change feed did not answer"),
            }
        }
        changes
    }

    async fn backfill(self) {
        self.app.model().load_model().await;
        self.events.send(Event::changed(ChangeTopic::Models));
        let progress = EmbedReporter(Arc::clone(&self.events));
        loop {
            match self.app.model().embed_pending(&progress).await {
                Ok(0) => {}
                Ok(_) => self.app.look_for_changes(),
                Err(error) => tracing::warn!(%error, "the backfill stopped; it will be tried again"),
            }
            // Waits for a write or for the interval, whichever is first.
            let _ = tokio::time::timeout(BACKFILL_EVERY, self.work.notified()).await;
        }
    }
}
