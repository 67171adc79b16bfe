//! A language model for tests: a real HTTP server on the loopback address that plays a script.
//!
//! It supports both protocols and selects one by the requested path. Every POST plays the next [`Reply`] of the
//! script. After the end of the script, the answer is "ok". Every GET returns the list of models.
//!
//! ```no_run
//! # async fn example() {
//! use inklings_llm::testing::{Reply, ScriptedServer};
//! use std::time::Duration;
//!
//! let server = ScriptedServer::start([
//!     Reply::status(503),
//!     Reply::text(["The ", "ferry"]).pause(Duration::from_millis(20)).say(" sinks.").usage(12, 3),
//!     Reply::text(["Let me look."]).call("call_1", "find", r#"{"query":"ferry"}"#),
//!     Reply::text(["The fer"]).then_drop(),
//! ])
//! .await;
//! let endpoint = server.endpoint(inklings_ports::model::chat::ChatProvider::OpenAiCompatible);
//! // … connect, ask …
//! assert_eq!(server.requests()[0].path, "/v1/chat/completions");
//! server.hung_up(1).await; // a client has closed its connection in the middle of an answer
//! # }
//! ```

mod frames;
mod reply;
mod server;

pub use reply::Reply;
pub use server::{Request, ScriptedServer};
