//! The entry in the tray. Only while it is shown does closing the last window leave the program running: without it nobody
//! could come back to the program or end it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
};

use inklings_commands::Core;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use specta::Type;
use tauri::{
    AppHandle, Manager, Wry,
    menu::{Menu, MenuBuilder, MenuEvent, MenuItem},
    tray::{TrayIcon, TrayIconBuilder},
};

use crate::{lifetime::Lifetime, settings::SettingsFile, windows};

const ID: &str = "inklings";
const OPEN: &str = "open";
const CAPTURE: &str = "capture";
const MEMORY: &str = "memory";
const QUIT: &str = "quit";

/// Why there is no entry in the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TrayProblem {
    /// The desktop shows no tray.
    NoTray,
    /// The library that talks to the tray is not installed: `libayatana-appindicator`.
    NoLibrary,
    /// The system refuses it.
    TrayRefused,
}

/// The entry, while there is one.
#[derive(Default)]
pub struct Tray {
    shown: Mutex<Option<Shown>>,
    problem: Mutex<Option<TrayProblem>>,
}

struct Shown {
    icon: TrayIcon,
    memory: MenuItem<Wry>,
}

impl Tray {
    /// Why the entry that is wanted is not shown.
    pub fn problem(&self) -> Option<TrayProblem> {
        *self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_shown(&self) -> bool {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Shows the entry or takes it away. Must not run on the main thread, which it asks and waits for.
pub fn apply(app: &AppHandle, wanted: bool) {
    let tray = app.state::<Tray>();
    let done = match (wanted, tray.is_shown()) {
        (true, false) => show(app).map(Some),
        (true, true) => return,
        (false, _) => Ok(None),
    };
    let problem = done.as_ref().err().copied();
    if let Some(problem) = problem {
        tracing::warn!(?problem, "there is no entry in the tray");
    }
    *tray.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
    let before = std::mem::replace(
        &mut *tray.shown.lock().unwrap_or_else(PoisonError::into_inner),
        done.ok().flatten(),
    );
    app.state::<Lifetime>().set_in_tray(tray.is_shown());
    if let Some(before) = before {
        remove(app, before);
    }
    refresh(app);
}

/// Shows the entry anew: its texts are in another language.
pub fn renew(app: &AppHandle) {
    if app.state::<Tray>().is_shown() {
        apply(app, false);
        apply(app, true);
    }
}

fn show(app: &AppHandle) -> Result<Shown, TrayProblem> {
    if !desktop_has_tray() {
        return Err(TrayProblem::NoTray);
    }
    let (done, answer) = mpsc::channel();
    let handle = app.clone();
    let work = move || {
        // Where the library is missing, the crate that loads it panics.
        let built = catch_unwind(AssertUnwindSafe(|| build(&handle)));
        let _ = done.send(built.map_err(|_| TrayProblem::NoLibrary).and_then(|built| {
            built.map_err(|error| {
                tracing::warn!(%error, "the entry in the tray was refused");
                TrayProblem::TrayRefused
            })
        }));
    };
    app.run_on_main_thread(work).map_err(|_| TrayProblem::TrayRefused)?;
    answer.recv().unwrap_or(Err(TrayProblem::TrayRefused))
}

fn build(app: &AppHandle) -> tauri::Result<Shown> {
    let texts = app.state::<SettingsFile>().tray_texts();
    let memory = MenuItem::with_id(app, MEMORY, "", false, None::<&str>)?;
    let menu: Menu<Wry> = MenuBuilder::new(app)
        .text(OPEN, texts.open)
        .text(CAPTURE, texts.capture)
        .item(&memory)
        .separator()
        .text(QUIT, texts.quit)
        .build()?;
    let mut builder = TrayIconBuilder::with_id(ID).menu(&menu).tooltip("Inklings").on_menu_event(chosen);
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    Ok(Shown { icon: builder.build(app)?, memory })
}

fn remove(app: &AppHandle, shown: Shown) {
    let handle = app.clone();
    // The system's parts of it belong to the main thread.
    let removed = app.run_on_main_thread(move || {
        handle.remove_tray_by_id(ID);
        drop(shown.icon);
        drop(shown.memory);
    });
    if let Err(error) = removed {
        tracing::warn!(%error, "the entry in the tray could not be removed");
    }
}

#[allow(clippy::needless_pass_by_value, reason = "the menu calls it so")]
fn chosen(app: &AppHandle, event: MenuEvent) {
    let done = match event.id().as_ref() {
        OPEN => {
            app.state::<Lifetime>().set_ending(false);
            windows::raise(app).map(drop)
        }
        CAPTURE => windows::open_capture(app),
        MEMORY => {
            toggle_memory(app);
            Ok(())
        }
        QUIT => {
            quit(app);
            Ok(())
        }
        _ => Ok(()),
    };
    if let Err(error) = done {
        tracing::error!(message = %error.message, "a command of the tray failed");
    }
}

/// Ends the program. Every window is closed as by hand, so one with unsaved words asks.
fn quit(app: &AppHandle) {
    app.state::<Lifetime>().set_ending(true);
    let open = app.webview_windows();
    if open.is_empty() {
        app.exit(0);
    }
    for window in open.values() {
        windows::to_front(window);
        if let Err(error) = window.close() {
            tracing::warn!(%error, "a window could not be closed");
        }
    }
}

/// Switches memory of the open world off or on: the switch that the settings have.
fn toggle_memory(app: &AppHandle) {
    let core = app.state::<Core>().inner().clone();
    tauri::async_runtime::spawn(async move {
        let switched = async {
            let enabled = core.app()?.client().memory_enabled().await?;
            let mut arguments = Map::new();
            arguments.insert("enabled".to_owned(), json!(!enabled));
            // As the page calls it, so that every window hears of it.
            inklings_commands::call(core.clone(), "set_memory_enabled", arguments).await
        };
        if let Err(error) = switched.await {
            tracing::error!(message = %error.message, "memory could not be switched from the tray");
        }
    });
}

/// Shows in the menu whether memory of the open world is on. Call it when settings or the world may have changed.
pub fn refresh(app: &AppHandle) {
    let (Some(tray), Some(core)) = (app.try_state::<Tray>(), app.try_state::<Core>()) else { return };
    if !tray.is_shown() {
        return;
    }
    let (app, core) = (app.clone(), core.inner().clone());
    tauri::async_runtime::spawn(async move {
        let enabled = match core.app() {
            Ok(inner) => inner.client().memory_enabled().await.ok().zip(world_of(&inner).await),
            Err(_) => None,
        };
        let texts = app.state::<SettingsFile>().tray_texts();
        let text = match &enabled {
            Some((true, world)) => texts.pause.replace("{world}", world),
            Some((false, world)) => texts.resume.replace("{world}", world),
            None => texts.pause.replace("{world}", "…"),
        };
        let item = {
            let tray = app.state::<Tray>();
            let shown = tray.shown.lock().unwrap_or_else(PoisonError::into_inner);
            shown.as_ref().map(|shown| shown.memory.clone())
        };
        let Some(item) = item else { return };
        if let Err(error) = item.set_text(&text).and_then(|()| item.set_enabled(enabled.is_some())) {
            tracing::warn!(%error, "the menu of the tray could not be changed");
        }
    });
}

async fn world_of(app: &inklings_api::App) -> Option<String> {
    let status = app.settings().app_status().await.ok()?;
    status.workspace.map(|world| world.name)
}

/// True if somebody shows entries of programs. Without that an entry can be made and is seen nowhere.
#[cfg(target_os = "linux")]
fn desktop_has_tray() -> bool {
    crate::bus::has_owner("org.kde.StatusNotifierWatcher")
}

/// True: these systems always show one.
#[cfg(not(target_os = "linux"))]
const fn desktop_has_tray() -> bool {
    true
}
