//! The databases that a process has open, for the common order of their changes (ADR 21).

use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicI64, Ordering},
};

use sqlx::Row;

use crate::{connection::Database, error::DbResult};

/// The open databases of a process, and the greatest order value read from any of them.
#[derive(Debug, Default)]
pub struct Peers {
    open: Mutex<Vec<Weak<Database>>>,
    reached: AtomicI64,
}

impl Peers {
    /// Adds a database to the group until it is dropped.
    pub fn join(&self, db: &Arc<Database>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|known| known.strong_count() > 0);
        open.push(Arc::downgrade(db));
    }

    /// The greatest order value in the other databases. A database that cannot be read does not block
    /// writing; its last known value counts.
    pub async fn reached_by_others(&self, db: &Arc<Database>) -> i64 {
        let others: Vec<Arc<Database>> = {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.iter().filter_map(Weak::upgrade).filter(|other| !Arc::ptr_eq(other, db)).collect()
        };
        for other in others {
            match reached_in(&other).await {
                Ok(order) => drop(self.reached.fetch_max(order, Ordering::Relaxed)),
                Err(error) => tracing::debug!(%error, "the order of the changes of a database was not read"),
            }
        }
        self.reached.load(Ordering::Relaxed)
    }
}

async fn reached_in(db: &Database) -> DbResult<i64> {
    let row = sqlx::query("SELECT change_order FROM change_clock").fetch_one(&db.reader()).await?;
    Ok(row.try_get(0)?)
}
