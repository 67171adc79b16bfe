//! The `inklings` command line.
fn main() {}
