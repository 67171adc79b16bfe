//! Notifies resource subscriptions of changes.
//!
//! Over standard input this process polls the change feed itself; in the window, the window's background work
//! forwards its events. A subscription then checks whether its resource changed.

use std::{sync::Arc, time::Duration};

use inklings_api::App;
use tokio::sync::watch;

/// Poll interval of the change feed, well below a second.
const POLL: Duration = Duration::from_millis(250);

/// Notifies subscriptions that something changed. Clones share their subscriptions.
#[derive(Debug, Clone)]
pub struct ChangeNotifier(Arc<watch::Sender<u64>>);

impl Default for ChangeNotifier {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }
}

impl ChangeNotifier {
    /// Notifies of a change.
    pub fn notify(&self) {
        self.0.send_modify(|count| *count += 1);
    }

    /// A receiver of the changes from now on.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }

    /// Polls the change feeds of workspaces that only clients use; with `own` also those of the account and
    /// the workspace in use, for a process without background work. Runs until aborted.
    pub async fn follow(self, app: Arc<App>, own: bool) {
        let mut tick = tokio::time::interval(POLL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let others = app.client().sessions_of_other_workspaces().await;
            let mut feeds: Vec<_> = others.iter().map(|session| &session.workspace.memory.feed).collect();
            let current = app.session_if_open().filter(|_| own);
            if let Some(session) = &current {
                feeds.extend([&session.workspace.memory.feed, &session.account.memory.feed]);
            }
            for feed in feeds {
                match feed.poll().await {
                    Ok(changes) if changes.topics.is_empty() => {}
                    Ok(_) => self.notify(),
                    Err(error) => tracing::debug!(%error, "the change feed did not answer"),
                }
            }
        }
    }
}
