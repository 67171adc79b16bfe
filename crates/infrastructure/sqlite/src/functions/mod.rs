//! What every connection registers with SQLite: a tokenizer and functions.
//!
//! | module | does |
//! |---|---|
//! | `tokenizer` | cuts texts into the words of the full-text indexes |
//! | `scoring`, `ticket` | BM25 inside FTS5, with cached entry lengths, and the data of its queries |
//! | `matches` | everything that a query matched, to score candidates of other lists and joined texts |
//! | `highlight` | match positions in a text |
//! | `word_function` | compares the codes of words |

pub(crate) mod highlight;
pub(crate) mod matches;
pub(crate) mod scoring;
pub(crate) mod ticket;
mod tokenizer;
pub(crate) mod word_function;

pub use self::scoring::register;
