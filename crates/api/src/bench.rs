//! What measuring needs beyond the use cases.

pub mod scale;
mod synthetic;

use std::collections::HashMap;

use inklings_domain::filter::{MemoryFilter, Reach, Sort};

use crate::{App, error::CommandError};

/// Entries read at a time.
const PAGE: usize = 500;

impl App {
    /// The id that each imported entry had where it came from, by its id here.
    ///
    /// # Errors
    /// [`CommandError`] if no workspace is open or its database cannot be read.
    pub async fn external_ids(&self) -> Result<HashMap<String, String>, CommandError> {
        let session = self.session()?;
        let filter = MemoryFilter::active(Reach::EVERYTHING);
        let (mut ids, mut after) = (HashMap::new(), None);
        loop {
            let page = session.list_memories(&filter, Sort::CreatedAsc, after.as_ref(), PAGE).await?;
            for stored in page.entries {
                if let Some(id) = stored.entry.origin.and_then(|origin| origin.external_id) {
                    ids.insert(stored.entry.id.to_string(), id);
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(ids);
            }
        }
    }
}
