//! Port for what of the world a lens depends on.

use std::collections::BTreeSet;

use inklings_domain::{
    ids::MemoryId,
    lens::{LensOnSubjects, World},
};

use crate::store_error::StoreError;

/// Reads what a lens depends on, of one workspace.
#[async_trait::async_trait]
pub trait LensStore: Send + Sync {
    /// The memberships that the worldbuilder stated between active subjects, the chapters, the conversations that were held
    /// under a lens, and the kind of the knower.
    async fn world(&self, knower: Option<MemoryId>) -> Result<World, StoreError>;

    /// The subjects and other targets of links that a lens withholds, forgotten ones too.
    async fn withheld_subjects(&self, lens: &LensOnSubjects) -> Result<BTreeSet<MemoryId>, StoreError>;
}
