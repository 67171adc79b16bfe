//! The binary as a script uses it: arguments in, standard output, standard error and exit code out.

mod bad_input;
mod doors;
mod foreign;
mod imports;
mod memories;
mod support;
mod workspaces;
