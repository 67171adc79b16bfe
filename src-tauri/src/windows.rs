//! The windows of the program. All show the same page on the same core; each has its own place in it.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use inklings_api::error::{CommandError, ErrorCode};
use tauri::{AppHandle, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Window};

use crate::{lifetime::Lifetime, place::Place};

/// The label of the window that the program starts with.
pub const MAIN: &str = "main";
/// The labels of further windows begin with it. `build.rs` grants them the same commands.
const FURTHER: &str = "window-";
/// The label of the quick capture.
const CAPTURE: &str = "capture";
/// Time after which a window is shown even if its page has not loaded.
const LONGEST_HIDDEN: Duration = Duration::from_secs(3);

/// The number of the next further window.
#[derive(Debug, Default)]
pub struct Counter(AtomicU32);

/// Opens a further window at a place of the page.
///
/// # Errors
/// [`CommandError`] of code `internal` if the system gives no window.
pub fn open_further(app: &AppHandle, place: &Place) -> Result<(), CommandError> {
    let number = app.state::<Counter>().0.fetch_add(1, Ordering::Relaxed) + 1;
    open(app, &format!("{FURTHER}{number}"), Some(place)).map(drop)
}

/// Brings the first window to the front, or another one if it was closed; opens it again if all were closed.
///
/// # Errors
/// [`CommandError`] of code `internal` if the system gives no window.
pub fn raise(app: &AppHandle) -> Result<WebviewWindow, CommandError> {
    let window = match app.get_webview_window(MAIN) {
        Some(window) => window,
        None => open(app, MAIN, None)?,
    };
    to_front(&window);
    Ok(window)
}

/// Shows a window above the others.
pub fn to_front(window: &WebviewWindow) {
    for done in [window.show(), window.unminimize(), window.set_focus()] {
        if let Err(error) = done {
            tracing::warn!(%error, "a window could not be raised");
        }
    }
}

/// Opens the quick capture, or brings it to the front with what was begun in it.
///
/// # Errors
/// [`CommandError`] of code `internal` if the system gives no window.
pub fn open_capture(app: &AppHandle) -> Result<(), CommandError> {
    if let Some(window) = app.get_webview_window(CAPTURE) {
        to_front(&window);
        return Ok(());
    }
    let window = WebviewWindowBuilder::new(app, CAPTURE, WebviewUrl::App("index.html#/capture".into()))
        .title("Inklings")
        .inner_size(560.0, 300.0)
        .min_inner_size(400.0, 220.0)
        .center()
        .always_on_top(true)
        .visible(false)
        .disable_drag_drop_handler()
        .build()
        .map_err(refused)?;
    show_at_last(window);
    Ok(())
}

/// Hides the quick capture, which keeps what was begun in it. False if the program would end or nobody could come back to it.
pub fn put_aside_capture(app: &AppHandle) -> bool {
    let lifetime = app.state::<Lifetime>();
    let has_others = app.webview_windows().keys().any(|label| label != CAPTURE);
    if lifetime.is_ending() || !(has_others || lifetime.goes_on_without_window()) {
        return false;
    }
    app.get_webview_window(CAPTURE).is_some_and(|window| window.hide().is_ok())
}

/// After a window has gone: if only a hidden quick capture is left, its words come up instead of keeping a program that
/// nobody sees.
pub fn show_last(app: &AppHandle, gone: &str) {
    let has_others = app.webview_windows().keys().any(|label| label != CAPTURE && label != gone);
    if has_others || gone == CAPTURE || app.state::<Lifetime>().goes_on_without_window() {
        return;
    }
    if let Some(window) = app.get_webview_window(CAPTURE) {
        to_front(&window);
    }
}

/// Opens a window as `tauri.conf.json` describes the first one.
fn open(app: &AppHandle, label: &str, place: Option<&Place>) -> Result<WebviewWindow, CommandError> {
    let Some(mut config) = app.config().app.windows.first().cloned() else {
        return Err(CommandError::new(ErrorCode::Internal, "No window is configured."));
    };
    label.clone_into(&mut config.label);
    if let Some(place) = place {
        config.url = WebviewUrl::App(format!("index.html#{place}").into());
    }
    let window = WebviewWindowBuilder::from_config(app, &config)
        .and_then(WebviewWindowBuilder::build)
        .map_err(refused)?;
    show_at_last(window.clone());
    Ok(window)
}

#[allow(clippy::needless_pass_by_value, reason = "it maps an error")]
fn refused(error: tauri::Error) -> CommandError {
    tracing::error!(%error, "a window could not be opened");
    CommandError::new(ErrorCode::Internal, "The system did not open another window.")
}

/// Shows a window after [`LONGEST_HIDDEN`] if its page has not done so.
pub fn show_at_last(window: WebviewWindow) {
    thread::spawn(move || {
        thread::sleep(LONGEST_HIDDEN);
        show(&window.as_ref().window());
    });
}

/// Shows a hidden window. A visible one is left alone, because some systems would raise it.
pub fn show(window: &Window) {
    if window.is_visible().unwrap_or(false) {
        return;
    }
    if let Err(error) = window.show() {
        tracing::warn!(%error, "the window could not be shown");
    }
    // It is opened to write into it, from another program.
    if window.label() == CAPTURE {
        let _ = window.set_focus();
    }
}
