//! The orientation ledger.

pub(crate) mod ledger;
pub(crate) mod reads;
