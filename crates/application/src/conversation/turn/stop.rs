//! Stopping a turn from outside.

use std::sync::{Arc, Mutex, PoisonError};

use futures::{FutureExt, channel::oneshot, future::Shared};

/// The end that stops. Stopping twice is stopping once; dropping it stops nothing.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Mutex<Option<oneshot::Sender<()>>>>);

impl Stopper {
    /// Stops the turn.
    pub fn stop(&self) {
        if let Some(sender) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // Nobody waits any more: the turn is over.
            let _ = sender.send(());
        }
    }
}

/// The end that is stopped.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Kept so that a forgotten stopper does not look like a stop.
    _stopper: Stopper,
    heard: Shared<oneshot::Receiver<()>>,
}

impl Stop {
    /// True once it was stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self.heard.clone().now_or_never(), Some(Ok(())))
    }

    /// Waits until it is stopped.
    pub async fn stopped(&self) {
        // The sender lives as long as this does, so there is no other way to end.
        let _ = self.heard.clone().await;
    }
}

/// A pair: what stops, and what is stopped.
pub fn stopper() -> (Stopper, Stop) {
    let (sender, receiver) = oneshot::channel();
    let stopper = Stopper(Arc::new(Mutex::new(Some(sender))));
    (stopper.clone(), Stop { _stopper: stopper, heard: receiver.shared() })
}
