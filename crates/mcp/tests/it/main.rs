//! The server as clients meet it.

mod grants;
mod server;
mod slow;
mod support;
