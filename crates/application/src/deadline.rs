//! Work that has to be done within a time.

use chrono::Duration;
use futures::future::{Either, select};

use crate::{clock::Clock, error::AppError};

/// What a layer of the turn's context may take. Longer than any answer of a healthy store, also on a busy machine.
pub(crate) const LAYER: Duration = Duration::seconds(15);

/// What work comes to, if it ends within a time. Work that does not is dropped.
///
/// # Errors
/// [`AppError::TimedOut`], or whatever the work gives.
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
