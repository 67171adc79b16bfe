//! Notifies resource subscriptions of changes. A subscription then checks whether its resource changed.

use std::sync::Arc;

use inklings_api::{Event, Events};
use tokio::sync::watch;

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
}

/// Receives the events of the background work of this process.
impl Events for ChangeNotifier {
    fn send(&self, event: Event) {
        if matches!(event, Event::DataChanged { .. } | Event::OtherWorkspaceChanged) {
            self.notify();
        }
    }
}
