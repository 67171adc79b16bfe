//! The commands and events of the page, and their generated TypeScript bindings.

use std::{collections::BTreeMap, sync::Arc};

use inklings_commands::{Core, call};
use serde_json::{Map, Value};
use tauri::{
    Manager, Runtime, Wry,
    ipc::{Invoke, InvokeBody, InvokeError, InvokeResponseBody},
};
use tauri_specta::{Builder, CollectedCommands, Commands, ErrorHandlingMode, collect_events};

use crate::{
    commands,
    events::{
        DataChanged, EmbedProgress, ImportProgress, ModelProgress, RequestsWaiting, RunProgress,
        ShellChanged, TransferProgress, TurnProgress, UpdateProgress, VaultProgress,
    },
};

/// Builder with all commands and events of the page.
pub fn builder() -> Builder<Wry> {
    Builder::<Wry>::new()
        .error_handling(ErrorHandlingMode::Throw)
        .disable_serde_phases()
        .events(collect_events![
            DataChanged,
            ModelProgress,
            EmbedProgress,
            TurnProgress,
            ImportProgress,
            RunProgress,
            TransferProgress,
            VaultProgress,
            UpdateProgress,
            RequestsWaiting,
            ShellChanged
        ])
        .typ::<inklings_api::error::CommandError>()
        .commands(all())
}

/// The commands of the core and those of the shell. Tauri has checked the permission before one is called.
fn all() -> Commands<Wry> {
    let Commands(shell, shell_functions) = commands::all();
    Commands(
        Arc::new(move |invoke| {
            let is_of_shell = commands::SHELL_COMMANDS.contains(&invoke.message.command());
            if is_of_shell { shell(invoke) } else { answer(invoke) }
        }),
        Arc::new(move |types| {
            let mut functions = inklings_commands::functions(types);
            functions.extend(shell_functions(types).functions);
            CollectedCommands { functions, accessor_names: BTreeMap::new() }
        }),
    )
}

/// Forwards a call of the page to the core.
fn answer<R: Runtime>(invoke: Invoke<R>) -> bool {
    let Invoke { message, resolver, .. } = invoke;
    let core = message.webview_ref().state::<Core>().inner().clone();
    let command = message.command().to_owned();
    let arguments = match message.payload() {
        InvokeBody::Json(Value::Object(arguments)) => arguments.clone(),
        _ => Map::new(),
    };
    resolver.respond_async_serialized(async move {
        let answer = call(core, &command, arguments).await;
        answer.map(|json| InvokeResponseBody::Json(json.0)).map_err(InvokeError::from)
    });
    true
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path};

    use specta_typescript::Typescript;

    use super::*;

    const HEADER: &str =
        "// Generated from the Rust commands by `make bindings`. Do not edit.\n/* eslint-disable */\n";

    #[test]
    fn the_bindings_the_page_uses_are_those_of_these_commands() {
        let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/bindings.gen.ts");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fresh = folder.path().join("bindings.ts");
        builder()
            .export(Typescript::default().header(HEADER), &fresh)
            .expect("the bindings can be generated");
        let fresh = std::fs::read_to_string(fresh).expect("they were written");
        if std::env::var_os("UPDATE_BINDINGS").is_some() {
            std::fs::write(&checked_in, &fresh).expect("the bindings can be written");
        }
        let checked_in = std::fs::read_to_string(checked_in).unwrap_or_default();
        assert!(checked_in == fresh, "the bindings are out of date: run `make bindings`");
    }

    fn json(text: &str) -> Value {
        serde_json::from_str(text).expect("the file is JSON")
    }

    #[test]
    fn every_window_is_granted_exactly_the_commands_there_are() {
        let capability = json(include_str!("../gen/capabilities/commands.json"));
        let granted: BTreeSet<_> =
            capability["permissions"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let commands: Vec<_> = inklings_commands::names()
            .chain(commands::SHELL_COMMANDS.iter().copied())
            .map(|name| format!("allow-{}", name.replace('_', "-")))
            .collect();
        assert_eq!(granted, commands.iter().map(String::as_str).collect());
        let config = json(include_str!("../tauri.conf.json"));
        assert_eq!(config["app"]["security"]["capabilities"], serde_json::json!(["main", "commands"]));
    }

    #[test]
    fn every_other_window_has_the_rights_of_the_first() {
        let of_page = json(include_str!("../capabilities/main.json"));
        let commands = json(include_str!("../gen/capabilities/commands.json"));
        assert_eq!(of_page["windows"], commands["windows"]);
        assert_eq!(of_page["windows"], serde_json::json!(["main", "window-*", "capture"]));
    }
}
