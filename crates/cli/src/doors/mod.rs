//! `inklings export`, `import`, `file`

pub mod args;
mod file;
mod transfer;

pub use self::{
    file::run as file,
    transfer::{export, import},
};
