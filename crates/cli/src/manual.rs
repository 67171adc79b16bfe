//! Completion scripts and manual pages, both generated from the arguments.

use std::{fs, path::Path};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{args::Cli, failure::Failure, output::Output};

const NAME: &str = "inklings";

/// Prints the completion script of a shell.
pub fn completions(shell: Shell, out: &Output) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), NAME, &mut script);
    let script = String::from_utf8(script).map_err(|error| Failure::internal(&error))?;
    out.answer(&script, |script| script.trim_end().to_owned())
}

/// Writes the manual pages into a folder, which is created.
pub fn write(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .map_err(|error| Failure::file(folder, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_a_manual_page_and_hidden_verbs_have_none() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path()).expect("the pages are written");
        let page = |name: &str| fs::read_to_string(folder.path().join(name));
        assert!(page("inklings.1").expect("the page").contains("inklings\\-memory"));
        assert!(page("inklings-memory-add.1").expect("the page").contains("scope"));
        assert!(page("inklings-manual.1").is_err());
    }
}
