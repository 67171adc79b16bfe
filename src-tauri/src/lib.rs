//! The desktop shell: a window over [`inklings_api::App`]. Commands are thin; rules live further in.

mod bindings;
mod commands;
mod drawing;
mod events;
mod logging;
mod state;

use std::{path::PathBuf, sync::Arc};

use inklings_api::system;
use tauri::Manager;
use tauri_plugin_window_state::StateFlags;

use crate::state::AppState;

/// Runs the window until it is closed.
///
/// # Errors
/// The window could not be made.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    drawing::without_graphics_card();
    inklings_api::telemetry::forbid();
    let data_dir = system::data_dir(data_dir_argument());
    let _logs = logging::start(&inklings_api::App::log_dir(&data_dir));
    let builder = bindings::builder();
    let state_flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;

    let mut app = tauri::Builder::default();
    // A data folder of one's own is a deliberate second instance: tests, or a world on a stick.
    if std::env::var_os("INKLINGS_DATA_DIR").is_none() && data_dir_argument().is_none() {
        app = app.plugin(tauri_plugin_single_instance::init(|app, _, _| {
            if let Some(window) = app.get_webview_window("main") {
                let _ = window.unminimize();
                let _ = window.set_focus();
            }
        }));
    }
    app.plugin(tauri_plugin_window_state::Builder::default().with_state_flags(state_flags).build())
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(builder.invoke_handler())
        .setup(move |app| {
            builder.mount_events(app);
            let installed = app.path().resource_dir().ok().map(|dir| dir.join("resources"));
            let installed = installed.filter(|dir| dir.join("models").is_dir());
            // The variable comes first, as everywhere; without it and without an installation the core looks itself.
            let named = std::env::var_os("INKLINGS_RESOURCES").is_some();
            let resources = if named { None } else { installed };
            let news = inklings_mcp::News::default();
            let events = Arc::new(events::WindowEvents::new(app.handle().clone(), news.clone()));
            let state = tauri::async_runtime::block_on(AppState::open(data_dir, resources, events, news));
            app.manage(state);
            Ok(())
        })
        .run(tauri::generate_context!())?;
    Ok(())
}

/// `--data-dir PATH`, the one argument the window takes.
fn data_dir_argument() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip_while(|argument| argument != "--data-dir");
    arguments.nth(1).map(PathBuf::from)
}
