//! The store of one database, on top of [`Database`]. Each subject implements its port of the application for it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use inklings_domain::{
    ids::{MemoryId, WorkspaceId},
    memory::embedding::ModelId,
};
use inklings_ports::store_error::StoreError;

use crate::{
    connection::{Database, peers::Peers, version::DbVersion},
    error::DbResult,
};

/// The store of one database: entries with journal and history, settings and proposals; in a workspace also
/// channels and conversations, messages, episodes, facts, working notes, runs, tasks and the orientation
/// ledger.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    pub(crate) db: Arc<Database>,
    pub(crate) peers: Arc<Peers>,
    pub(crate) names: Arc<Mutex<Option<Names>>>,
    pub(crate) backlogs: Arc<MessageBacklogs>,
}

/// The names of active entries, with the database version at which they were read.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) at: DbVersion,
    pub(crate) list: Vec<(String, MemoryId)>,
}

/// For each model, how far the search for messages without a vector got. It continues where the last one ended, so it does not
/// read past everything that has a vector.
#[derive(Debug, Default)]
pub(crate) struct MessageBacklogs(pub(crate) tokio::sync::Mutex<HashMap<ModelId, MessageBacklog>>);

#[derive(Debug, Clone, Copy)]
pub(crate) struct MessageBacklog {
    /// Messages changed after this tick are found by their tick.
    pub(crate) tick: i64,
    /// Of the messages changed up to `tick`, none with this row number or a higher one is pending.
    pub(crate) below: i64,
}

impl SqliteStore {
    /// Creates the store of a single open database.
    #[cfg(test)]
    pub fn new(db: Arc<Database>) -> Self {
        Self::among(Arc::default(), db)
    }

    /// Creates the store of a database that is open together with others.
    pub fn among(peers: Arc<Peers>, db: Arc<Database>) -> Self {
        peers.join(&db);
        Self { db, peers, names: Arc::default(), backlogs: Arc::default() }
    }

    /// The workspace id in the form of the key column.
    pub(crate) fn workspace(&self) -> String {
        self.db.workspace_id().to_string()
    }

    pub(crate) fn is_account(&self) -> bool {
        self.db.workspace_id() == WorkspaceId::ACCOUNT
    }

    pub(crate) fn public<T>(&self, result: DbResult<T>) -> Result<T, StoreError> {
        result.map_err(|error| self.db.fail(error))
    }
}
