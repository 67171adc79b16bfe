//! Exports and imports on files.

mod one_folder;
mod two_files;
mod unknown;
