//! Time limits for asynchronous work.

use chrono::Duration;
use futures::future::{Either, select};
use inklings_ports::clock::Clock;

use crate::error::AppError;

/// Time limit of one layer of a turn's context. Longer than any answer of a healthy store, also on a busy
/// machine.
pub(crate) const LAYER: Duration = Duration::seconds(15);

/// The result of `work` if it completes within `limit`; otherwise the work is dropped.
///
/// # Errors
/// [`AppError::TimedOut`], or the error of the work.
pub(crate) async fn within<T>(
    clock: &dyn Clock,
    limit: Duration,
    work: impl Future<Output = Result<T, AppError>> + Send,
) -> Result<T, AppError> {
    match select(Box::pin(work), clock.sleep(limit)).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => Err(AppError::TimedOut),
    }
}
