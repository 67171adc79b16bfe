//! News of changes, for resources that a client has subscribed to.
//!
//! Whoever serves clients says that something changed: over standard input it asks the change feed itself; in the window the
//! feed is the window's, which passes on what it hears. Subscribers then look whether their resource is another one.

use std::{sync::Arc, time::Duration};

use inklings_api::App;
use tokio::sync::watch;

/// How often the change feed is asked: well within a second.
const POLL: Duration = Duration::from_millis(250);

/// Tells subscribers that something changed. Clones tell the same subscribers.
#[derive(Debug, Clone)]
pub struct ChangeNotifier(Arc<watch::Sender<u64>>);

impl Default for ChangeNotifier {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl ChangeNotifier {
    /// Something changed.
    pub fn tell(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    /// Hears of what changes from now on.
    pub fn hear(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }

    /// Asks the change feeds that nobody else asks: those of workspaces that only clients use, and with `own` also those of
    /// the account and the workspace in use (a process without a background of its own). Runs until it is aborted.
    pub async fn follow(self, app: Arc<App>, own: bool) {
        let mut tick = tokio::time::interval(POLL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let beside = app.sessions_beside().await;
            let mut feeds: Vec<_> = beside.iter().map(|session| &session.workspace.memory.feed).collect();
            let current = app.session_if_open().filter(|_| own);
            if let Some(session) = &current {
                feeds.extend([&session.workspace.memory.feed, &session.account.memory.feed]);
            }
            for feed in feeds {
                match feed.poll().await {
                    Ok(topics) if topics.is_empty() => {}
                    Ok(_) => self.tell(),
                    Err(error) => tracing::debug!(%error, "the change feed did not answer"),
                }
            }
        }
    }
}
