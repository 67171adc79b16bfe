//! The binary as a script uses it: arguments in, standard output, standard error and exit code out.

mod backups_and_scrubs;
mod bad_input;
mod exports;
mod imports;
mod memories;
mod recall;
mod support;
mod third_party;
mod workspaces;
