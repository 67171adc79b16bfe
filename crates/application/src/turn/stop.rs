//! Stop signal for a turn.

use std::sync::{Arc, Mutex, PoisonError};

use futures::{FutureExt, channel::oneshot, future::Shared};

/// Sending side of the stop signal. Stopping is idempotent; dropping it does not stop the turn.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<Mutex<Option<oneshot::Sender<()>>>>);

impl Stopper {
    /// Stops the turn.
    pub fn stop(&self) {
        if let Some(sender) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // An error means that the receiver is gone, because the turn is over.
            let _ = sender.send(());
        }
    }
}

/// Receiving side of the stop signal.
#[derive(Debug, Clone)]
pub struct Stop {
    /// Retained so that dropping all other stoppers does not look like a stop.
    _stopper: Stopper,
    receiver: Shared<oneshot::Receiver<()>>,
}

impl Stop {
    /// True once it was stopped.
    pub fn is_stopped(&self) -> bool {
        matches!(self.receiver.clone().now_or_never(), Some(Ok(())))
    }

    /// Waits for the stop signal.
    pub async fn stopped(&self) {
        // The sender lives as long as `self`, so this only ends with a stop.
        let _ = self.receiver.clone().await;
    }
}

/// Creates a connected pair.
pub fn stopper() -> (Stopper, Stop) {
    let (sender, receiver) = oneshot::channel();
    let stopper = Stopper(Arc::new(Mutex::new(Some(sender))));
    (stopper.clone(), Stop { _stopper: stopper, receiver: receiver.shared() })
}
