//! Sets of checked database copies, and restoring them.

pub(crate) mod adopt;
mod carried;
pub(crate) mod holding;
pub(crate) mod plan;
mod purge;
pub(crate) mod quarantined;
pub(crate) mod restore;
pub(crate) mod scrubs_since;
pub(crate) mod sets;
