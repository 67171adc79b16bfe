//! Calls a command by name, with JSON arguments and a JSON result.

use std::{collections::HashMap, sync::LazyLock};

use futures::future::BoxFuture;
use inklings_api::error::{CommandError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use specta::Types;

use crate::{Answer, Core, functions, handlers};

/// The result of a command, as JSON text.
#[derive(Debug)]
pub struct Json(pub String);

/// The arguments of one call: names in the order of the function's parameters, and the values sent by the
/// caller.
struct Arguments<'a> {
    names: std::slice::Iter<'a, String>,
    sent: Map<String, Value>,
}

impl Arguments<'_> {
    /// The next argument. A missing one is read as null, which an optional argument accepts.
    fn next<T: DeserializeOwned>(&mut self) -> Answer<T> {
        let name = self.names.next().map_or("", String::as_str);
        let value = self.sent.remove(name).unwrap_or_default();
        // The message of serde may quote the value, which may be memory text.
        serde_json::from_value(value).map_err(|_| {
            CommandError::new(ErrorCode::Invalid, format!("The argument `{name}` is malformed."))
        })
    }
}

/// A command with its types erased.
pub type Handler =
    Box<dyn Fn(Core, &[String], Map<String, Value>) -> BoxFuture<'static, Answer<Json>> + Send + Sync>;

/// A function that can be a command: `async fn(Core, ...) -> Answer<T>`. `Args` distinguishes functions by
/// their number of parameters.
pub trait Command<Args>: Copy + Send + Sync + 'static {
    fn run(self, core: Core, names: &[String], sent: Map<String, Value>) -> BoxFuture<'static, Answer<Json>>;
}

pub fn handler<Args>(command: impl Command<Args>) -> Handler {
    Box::new(move |core, names, sent| command.run(core, names, sent))
}

fn json<T: Serialize>(answer: &T) -> Answer<Json> {
    let text = serde_json::to_string(answer);
    text.map(Json)
        .map_err(|_| CommandError::new(ErrorCode::Internal, "The answer cannot be written as JSON."))
}

macro_rules! command_of {
    ($($argument:ident: $type:ident),*) => {
        impl<F, Fut, Out, $($type),*> Command<($($type,)*)> for F
        where
            F: Fn(Core, $($type),*) -> Fut + Copy + Send + Sync + 'static,
            Fut: Future<Output = Answer<Out>> + Send + 'static,
            Out: Serialize + Send + 'static,
            $($type: DeserializeOwned + Send + 'static,)*
        {
            #[allow(unused_mut, unused_variables, reason = "not every command has arguments")]
            fn run(self, core: Core, names: &[String], sent: Map<String, Value>) -> BoxFuture<'static, Answer<Json>> {
                let mut arguments = Arguments { names: names.iter(), sent };
                $(let $argument = match arguments.next() {
                    Ok(argument) => argument,
                    Err(error) => return Box::pin(async { Err(error) }),
                };)*
                let answer = self(core, $($argument),*);
                Box::pin(async move { json(&answer.await?) })
            }
        }
    };
}

command_of!();
command_of!(a: A);
command_of!(a: A, b: B);
command_of!(a: A, b: B, c: C);
command_of!(a: A, b: B, c: C, d: D);

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

    /// A test command with a required and an optional argument.
    async fn echo(_: Core, some_text: String, times: Option<u32>) -> Answer<(String, Option<u32>)> {
        Ok((some_text, times))
    }

    async fn core(folder: &tempfile::TempDir) -> Core {
        let failed = async { Err(CommandError::new(ErrorCode::Corrupt, "It is damaged.")) };
        let config = inklings_api::Config {
            data_dir: folder.path().to_owned(),
            resources: None,
            interface: inklings_api::Interface::Window,
        };
        Core::start(
            config,
            failed,
            std::sync::Arc::new(inklings_api::NoopEvents),
            inklings_mcp::ChangeNotifier::default(),
            std::sync::Arc::new(inklings_api::update::NoUpdates),
        )
        .await
    }

    #[tokio::test]
    async fn arguments_go_by_name_and_one_that_is_malformed_is_named_but_not_quoted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let core = core(&folder).await;
        let echo = handler(echo);
        let names = ["someText".to_owned(), "times".to_owned()];
        let run = |sent: Value| {
            let Value::Object(sent) = sent else { unreachable!("an object") };
            echo(core.clone(), &names, sent)
        };
        let answer =
            run(serde_json::json!({ "times": 2, "someText": "Salt" })).await.expect("it is well formed");
        assert_eq!(answer.0, r#"["Salt",2]"#);
        let answer =
            run(serde_json::json!({ "someText": "Salt" })).await.expect("the second may be left out");
        assert_eq!(answer.0, r#"["Salt",null]"#);
        let refused =
            run(serde_json::json!({ "someText": { "secret": "Oskar" } })).await.expect_err("no text");
        assert_eq!(refused.code, ErrorCode::Invalid);
        assert!(
            refused.message.contains("someText") && !refused.message.contains("Oskar"),
            "{}",
            refused.message
        );
    }

    #[tokio::test]
    async fn every_command_answers_with_the_reason_where_the_data_folder_cannot_be_opened() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let core = core(&folder).await;
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
