//! The commands of the shell: what a page asks of the program around it, and not of the core.

use inklings_api::error::{CommandError, ErrorCode};
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri::{AppHandle, Manager, State, WebviewWindow, Wry};
use tauri_specta::{Commands, Event, collect_commands};

use crate::{
    events::ShellChanged,
    place::Place,
    request::{Request, Requests},
    settings::{SettingsFile, ShellSettings, TrayTexts},
    shortcut::{self, CaptureKey, ShortcutProblem},
    tray::{self, Tray, TrayProblem},
    windows,
};

include!("listed.rs");

type Answer<T> = Result<T, CommandError>;

/// All commands of the shell.
pub fn all() -> Commands<Wry> {
    collect_commands![
        open_window,
        take_requests,
        open_capture,
        put_aside_capture,
        shell_status,
        set_capture_shortcut,
        set_tray,
        set_tray_texts,
    ]
}

/// Opens a place of the page, such as `/memory?id=…`, in a window of its own.
#[tauri::command]
#[specta::specta]
pub async fn open_window(app: AppHandle, place: String) -> Answer<()> {
    let place = Place::parse(&place)
        .ok_or_else(|| CommandError::new(ErrorCode::Invalid, "This is no place in the window."))?;
    windows::open_further(&app, &place)
}

/// Takes what the system asks of the page, oldest first. The first window answers it; the others get nothing.
#[tauri::command]
#[specta::specta]
#[allow(clippy::needless_pass_by_value, reason = "a command owns its arguments")]
pub async fn take_requests(window: WebviewWindow, requests: State<'_, Requests>) -> Answer<Vec<Request>> {
    Ok(if window.label() == windows::MAIN { requests.take() } else { Vec::new() })
}

/// Opens the quick capture, or brings it to the front.
#[tauri::command]
#[specta::specta]
pub async fn open_capture(app: AppHandle) -> Answer<()> {
    windows::open_capture(&app)
}

/// Hides the quick capture with what was begun in it. False if nothing would be left to come back from.
#[tauri::command]
#[specta::specta]
pub async fn put_aside_capture(app: AppHandle) -> Answer<bool> {
    Ok(windows::put_aside_capture(&app))
}

/// The settings of the shell, and what became of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShellStatus {
    /// Whether the key of the quick capture is asked for.
    pub capture_on: bool,
    /// That key, such as `control+alt+KeyI`.
    pub capture_shortcut: String,
    /// Why it does not work, if it does not.
    pub capture_problem: Option<ShortcutProblem>,
    /// Whether an entry in the tray is wanted.
    pub tray: bool,
    /// Why there is none although it is wanted.
    pub tray_problem: Option<TrayProblem>,
}

/// The settings of the shell.
#[tauri::command]
#[specta::specta]
pub async fn shell_status(app: AppHandle) -> Answer<ShellStatus> {
    Ok(status(&app))
}

/// Chooses the key of the quick capture, and whether it is used. One that the system refuses is stored all the same: the
/// status says why it does not work.
#[tauri::command]
#[specta::specta]
pub async fn set_capture_shortcut(app: AppHandle, on: bool, shortcut: String) -> Answer<ShellStatus> {
    let Ok(parsed) = shortcut::parse(&shortcut) else {
        return Ok(ShellStatus { capture_problem: Some(ShortcutProblem::Unusable), ..status(&app) });
    };
    let file = app.state::<SettingsFile>();
    file.change(|settings| {
        settings.capture_on = on;
        settings.capture_shortcut = parsed.into_string();
    })?;
    shortcut::apply(&app, &file.settings());
    Ok(changed(&app))
}

/// Chooses whether the program has an entry in the tray.
#[tauri::command]
#[specta::specta]
pub async fn set_tray(app: AppHandle, on: bool) -> Answer<ShellStatus> {
    app.state::<SettingsFile>().change(|settings| settings.tray = on)?;
    tray::apply(&app, on);
    Ok(changed(&app))
}

/// Replaces the texts of the tray by those of the language of the window.
#[tauri::command]
#[specta::specta]
pub async fn set_tray_texts(app: AppHandle, texts: TrayTexts) -> Answer<()> {
    if app.state::<SettingsFile>().set_tray_texts(texts)? {
        tray::renew(&app);
    }
    Ok(())
}

fn status(app: &AppHandle) -> ShellStatus {
    let ShellSettings { capture_on, capture_shortcut, tray } = app.state::<SettingsFile>().settings();
    ShellStatus {
        capture_on,
        capture_shortcut,
        capture_problem: app.state::<CaptureKey>().problem(),
        tray,
        tray_problem: app.state::<Tray>().problem(),
    }
}

/// The status, which the other windows read again.
fn changed(app: &AppHandle) -> ShellStatus {
    if let Err(error) = ShellChanged.emit(app) {
        tracing::debug!(%error, "a change of the shell found no page");
    }
    status(app)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_the_shells_commands_names_each_of_them() {
        let Commands(_, collect) = all();
        let functions = collect(&mut specta::Types::default()).functions;
        let names: Vec<_> = functions.iter().map(|function| function.name().to_string()).collect();
        assert_eq!(names, SHELL_COMMANDS);
    }
}
