//! Entries with their journal and versions.

pub(crate) mod commit;
pub(crate) mod facets;
pub(crate) mod feed;
pub(crate) mod filter_sql;
pub(crate) mod history;
pub(crate) mod intents;
pub(crate) mod lens_sql;
pub(crate) mod list;
pub(crate) mod order;
pub(crate) mod settle;
pub(crate) mod split;
pub mod text_index;
pub(crate) mod uses;
