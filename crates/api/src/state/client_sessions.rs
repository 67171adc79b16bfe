//! The open sessions of clients.

use std::{collections::HashMap, sync::Arc};

use chrono::NaiveDate;
use inklings_application::session::Session;
use inklings_domain::ids::WorkspaceId;

/// Sessions on workspaces that are not in use, with the day for which their decay was computed.
pub(crate) type ClientSessions = HashMap<WorkspaceId, (NaiveDate, Arc<Session>)>;
