//! The desktop shell: a window that uses [`inklings_api::App`]. Commands are thin; business rules are in the
//! core.

mod bindings;
mod drawing;
mod events;
mod logging;
mod updates;

use std::{path::PathBuf, sync::Arc, thread, time::Duration};

use inklings_api::{
    Config, Interface,
    error::{CommandError, ErrorCode},
    system,
};
use inklings_commands::Core;
use tauri::{Manager, utils::platform, webview::PageLoadEvent};
use tauri_plugin_window_state::StateFlags;

/// Time after which the window is shown even if its page has not loaded.
const LONGEST_HIDDEN: Duration = Duration::from_secs(3);

/// Runs the window until it is closed.
///
/// # Errors
/// The window cannot be created.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    drawing::without_graphics_card();
    inklings_api::telemetry::forbid();
    inklings_api::private::begin();
    let data_dir = system::data_dir(data_dir_argument());
    let _logs = logging::start(&inklings_api::App::log_dir(&data_dir));
    let builder = bindings::builder();
    let mut context = tauri::generate_context!();
    let installed = platform::resource_dir(context.package_info(), &tauri::Env::default());
    let installed = installed.ok().map(|dir| dir.join("resources")).filter(|dir| dir.join("models").is_dir());
    // The variable has priority, as everywhere; without it and without an installation the core searches for
    // the folder.
    let named = std::env::var_os("INKLINGS_RESOURCES").is_some();
    let config =
        Config { data_dir, resources: if named { None } else { installed }, interface: Interface::Window };
    // The databases do not depend on the window, so they are opened while the system creates it.
    let opening = tauri::async_runtime::spawn(inklings_commands::open(config.clone()));
    let state_flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;

    let mut app = tauri::Builder::default();
    // A separate data folder is a deliberate second instance, for example of tests or on a removable disk.
    if std::env::var_os("INKLINGS_DATA_DIR").is_none() && data_dir_argument().is_none() {
        app = app.plugin(tauri_plugin_single_instance::init(|app, _, _| {
            if let Some(window) = app.get_webview_window("main") {
                let _ = window.unminimize();
                let _ = window.set_focus();
            }
        }));
    }
    app = updates::add(app, context.config_mut());
    app.plugin(tauri_plugin_window_state::Builder::default().with_state_flags(state_flags).build())
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(builder.invoke_handler())
        // The window is hidden until the page has loaded. It would be empty, and with software rendering
        // WebKit waits up to half a second for its first frame, on the thread that also has to deliver the
        // page.
        .on_page_load(|webview, load| {
            if load.event() == PageLoadEvent::Finished {
                show(&webview.window());
            }
        })
        .setup(move |app| {
            builder.mount_events(app);
            let change_notifier = inklings_mcp::ChangeNotifier::default();
            let events = Arc::new(events::WindowEvents::new(app.handle().clone(), change_notifier.clone()));
            let opening = async {
                let broke_off =
                    |_| CommandError::new(ErrorCode::Internal, "Opening the data folder broke off.");
                opening.await.map_err(broke_off).flatten()
            };
            let updates = updates::source(app.handle());
            let core = Core::start(config, opening, events, change_notifier, updates);
            app.manage(tauri::async_runtime::block_on(core));
            if let Some(window) = app.get_webview_window("main") {
                thread::spawn(move || {
                    thread::sleep(LONGEST_HIDDEN);
                    show(&window.as_ref().window());
                });
            }
            Ok(())
        })
        .run(context)?;
    Ok(())
}

/// Shows a hidden window. A visible one is left alone, because some systems would raise it.
fn show(window: &tauri::Window) {
    if window.is_visible().unwrap_or(false) {
        return;
    }
    if let Err(error) = window.show() {
        tracing::warn!(%error, "the window could not be shown");
    }
}

/// The path in `--data-dir PATH`, the only argument of the window.
fn data_dir_argument() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip_while(|argument| argument != "--data-dir");
    arguments.nth(1).map(PathBuf::from)
}
