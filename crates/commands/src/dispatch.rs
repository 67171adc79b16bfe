//! Calls a command by name.

use std::{collections::HashMap, sync::LazyLock};

use inklings_api::error::{CommandError, ErrorCode};
use serde_json::{Map, Value};
use specta::Types;

use crate::{
    Answer, Core,
    generated::{functions, handlers},
    handler::{Handler, Json},
};

struct Entry {
    /// Names of the arguments in the form that the page sends.
    arguments: Vec<String>,
    handler: Handler,
    /// Whether it may change something.
    writes: bool,
}

static COMMANDS: LazyLock<HashMap<String, Entry>> = LazyLock::new(|| {
    let signatures = functions(&mut Types::default());
    let entry = |(signature, (effect, handler)): (specta::datatype::Function, (&str, _))| {
        let arguments = signature.args().iter().map(|(name, _)| camel_case(name)).collect();
        (signature.name().to_string(), Entry { arguments, handler, writes: effect != "reads" })
    };
    signatures.into_iter().zip(handlers()).map(entry).collect()
});

/// Names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.keys().map(String::as_str)
}

/// Calls a command. If it may have changed something, the events of that follow at once: the page reads again what they
/// touch, and announces nothing by itself.
///
/// # Errors
/// [`ErrorCode::NotFound`] for an unknown command, [`ErrorCode::Invalid`] for a missing or malformed
/// argument, or the error of the command.
pub async fn call(core: Core, name: &str, arguments: Map<String, Value>) -> Answer<Json> {
    let Some(entry) = COMMANDS.get(name) else {
        return Err(CommandError::new(ErrorCode::NotFound, "There is no such command."));
    };
    let answer = (entry.handler)(core.clone(), &entry.arguments, arguments).await;
    if entry.writes {
        // Also after an error, because a part may have been written.
        core.look_for_changes();
    }
    answer
}

/// Converts `some_name` to `someName`, the form of argument names in the page.
fn camel_case(name: &str) -> String {
    let mut upper = false;
    let mut camel = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter == '_' {
            upper = true;
        } else if std::mem::take(&mut upper) {
            camel.extend(letter.to_uppercase());
        } else {
            camel.push(letter);
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::broken;

    #[tokio::test]
    async fn every_command_answers_with_the_reason_where_the_data_folder_cannot_be_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let core = broken(&folder).await;
        let without_arguments = COMMANDS.iter().filter(|(_, entry)| entry.arguments.is_empty());
        for (name, _) in without_arguments {
            // These commands work without a database.
            let without = ["list_backups", "damaged_files", "begin_account_anew", "update_status"];
            if without.contains(&name.as_str()) {
                continue;
            }
            let refused = call(core.clone(), name, Map::new()).await.expect_err(name);
            assert_eq!(refused.code, ErrorCode::Corrupt, "{name}");
        }
        let unknown = call(core, "no_such_command", Map::new()).await.expect_err("there is none");
        assert_eq!(unknown.code, ErrorCode::NotFound);
    }

    #[test]
    fn the_names_of_arguments_are_those_of_the_page() {
        assert_eq!(COMMANDS["undo_change"].arguments, ["changeId"]);
        assert_eq!(COMMANDS["restore_version"].arguments, ["id", "version", "currentVersion"]);
    }
}
