//! Exports and imports on files.

mod one_folder;
mod purged;
mod two_files;
mod unknown;
