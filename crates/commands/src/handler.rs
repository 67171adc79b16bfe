//! A command with its types erased: JSON arguments go in, and a JSON result comes out.

use futures::future::BoxFuture;
use inklings_api::error::{CommandError, ErrorCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{Answer, Core};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::broken;

    /// A test command with a required and an optional argument.
    async fn echo(_: Core, some_text: String, times: Option<u32>) -> Answer<(String, Option<u32>)> {
        Ok((some_text, times))
    }

    #[tokio::test]
    async fn arguments_go_by_name_and_one_that_is_malformed_is_named_but_not_quoted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let core = broken(&folder).await;
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
}
