//! The key that opens the quick capture from every program.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_global_shortcut::{
    Code, GlobalShortcut, GlobalShortcutExt, Modifiers, Shortcut, ShortcutState,
};

use crate::settings::ShellSettings;

/// Why a key does not open the quick capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ShortcutProblem {
    /// The desktop gives no program a key of its own; it can start `inklings-desktop --capture` by a key that is set there.
    Wayland,
    /// It is no key, or one that writes a letter.
    Unusable,
    /// Another program has it.
    Taken,
    /// The system refuses it.
    Refused,
}

/// What became of the key that was asked for last.
#[derive(Debug, Default)]
pub struct CaptureKey(Mutex<Option<ShortcutProblem>>);

impl CaptureKey {
    /// Why the key does not work, if it does not.
    pub fn problem(&self) -> Option<ShortcutProblem> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a key. It needs Ctrl, Alt or the system's key, or is a function key: every other one is for writing.
///
/// # Errors
/// [`ShortcutProblem::Unusable`].
pub fn parse(text: &str) -> Result<Shortcut, ShortcutProblem> {
    let shortcut: Shortcut = text.parse().map_err(|_| ShortcutProblem::Unusable)?;
    let leads = Modifiers::CONTROL | Modifiers::ALT | Modifiers::SUPER;
    let writes = !shortcut.mods.intersects(leads) && !is_function_key(shortcut.key);
    if writes { Err(ShortcutProblem::Unusable) } else { Ok(shortcut) }
}

fn is_function_key(key: Code) -> bool {
    let name = key.to_string();
    name.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok())
}

/// Asks the system for the key of the settings, in place of the one before, and remembers why it was refused.
pub fn apply(app: &AppHandle, settings: &ShellSettings) {
    let problem = registered(app, settings).err();
    if let Some(problem) = problem {
        tracing::warn!(?problem, "the quick capture has no key");
    }
    *app.state::<CaptureKey>().0.lock().unwrap_or_else(PoisonError::into_inner) = problem;
}

fn registered(app: &AppHandle, settings: &ShellSettings) -> Result<(), ShortcutProblem> {
    let refused = |error| {
        tracing::warn!(%error, "the system refused a key");
        ShortcutProblem::Refused
    };
    if app.try_state::<GlobalShortcut<Wry>>().is_some() {
        app.global_shortcut().unregister_all().map_err(refused)?;
    }
    if !settings.capture_on {
        return Ok(());
    }
    let shortcut = parse(&settings.capture_shortcut)?;
    if is_wayland() {
        return Err(ShortcutProblem::Wayland);
    }
    // The plugin watches the keyboard from its start on, so it starts where a key is wanted.
    if app.try_state::<GlobalShortcut<Wry>>().is_none() {
        let plugin = tauri_plugin_global_shortcut::Builder::new().build();
        app.plugin(plugin).map_err(|error| {
            tracing::warn!(%error, "keys of the system cannot be had");
            ShortcutProblem::Refused
        })?;
    }
    let registered = app.global_shortcut().on_shortcut(shortcut, |app, _, event| {
        if event.state == ShortcutState::Pressed {
            crate::open_capture(app);
        }
    });
    match registered {
        Ok(()) => Ok(()),
        // The plugin gives the reason as text alone.
        Err(error) if error.to_string().contains("already registered") => Err(ShortcutProblem::Taken),
        Err(error) => Err(refused(error)),
    }
}

/// True on a Wayland desktop. An X server for old programs may run there, too, but it hears keys of such programs alone.
fn is_wayland() -> bool {
    cfg!(target_os = "linux")
        && std::env::var_os("WAYLAND_DISPLAY").is_some_and(|display| !display.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_writes_is_none_for_the_whole_system() {
        for good in ["control+alt+KeyI", "Ctrl+Alt+I", "super+shift+Space", "F9", "shift+F12", "alt+Digit1"] {
            assert!(parse(good).is_ok(), "{good}");
        }
        for bad in ["", "KeyI", "shift+KeyI", "Space", "control", "control+", "control+alt+Nothing", "a b"] {
            assert_eq!(parse(bad), Err(ShortcutProblem::Unusable), "{bad}");
        }
    }

    #[test]
    fn the_first_key_can_be_asked_for() {
        let first = ShellSettings::default().capture_shortcut;
        assert_eq!(parse(&first).expect("it is a key").into_string(), first);
    }
}
