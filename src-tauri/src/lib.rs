//! The desktop shell: windows that use [`inklings_api::App`]. Commands are thin; business rules are in the
//! core.

mod address;
mod bindings;
#[cfg(target_os = "linux")]
mod bus;
mod commands;
mod drawing;
mod events;
mod lifetime;
mod logging;
mod place;
mod request;
mod settings;
mod shortcut;
mod tray;
mod updates;
mod windows;

use std::{env, path::Path, sync::Arc, thread};

use inklings_api::{
    Config, Interface,
    error::{CommandError, ErrorCode},
    system,
};
use inklings_commands::Core;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent, utils::platform, webview::PageLoadEvent};
use tauri_plugin_deep_link::DeepLinkExt;
use tauri_plugin_window_state::StateFlags;
use tauri_specta::Event;

use self::{
    lifetime::Lifetime,
    request::{Arguments, Request, Requests},
    settings::SettingsFile,
};

/// Runs the program until its last window is closed.
///
/// # Errors
/// The first window cannot be created.
pub fn run() -> Result<(), Box<dyn std::error::Error>> {
    drawing::without_graphics_card();
    inklings_api::telemetry::forbid();
    inklings_api::private::begin();
    let arguments = Arguments::parse(env::args_os().skip(1), &env::current_dir().unwrap_or_default());
    let named = env::var_os("INKLINGS_DATA_DIR").filter(|folder| !folder.is_empty());
    let has_own_folder = named.is_some() || arguments.data_dir.is_some();
    let data_dir = system::data_dir(arguments.data_dir.clone());
    let _logs = logging::start(&inklings_api::App::log_dir(&data_dir));
    let builder = bindings::builder();
    let mut context = tauri::generate_context!();
    let installed = platform::resource_dir(context.package_info(), &tauri::Env::default());
    let installed = installed.ok().map(|dir| dir.join("resources")).filter(|dir| dir.join("models").is_dir());
    // The variable has priority, as everywhere; without it and without an installation the core searches for
    // the folder.
    let named = env::var_os("INKLINGS_RESOURCES").is_some();
    let config =
        Config { data_dir, resources: if named { None } else { installed }, interface: Interface::Window };
    // The databases do not depend on the window, so they are opened while the system creates it. A start that only hands its
    // arguments over opens none: it would end in the middle of that.
    let hands_over = !has_own_folder && runs_already(&context.config().identifier);
    let opening = (!hands_over).then(|| tauri::async_runtime::spawn(inklings_commands::open(config.clone())));
    let state_flags = StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED;

    let mut app = tauri::Builder::default();
    // A separate data folder is a deliberate second instance, for example of tests or on a removable disk.
    if !has_own_folder {
        app = app.plugin(tauri_plugin_single_instance::init(|app, arguments, folder| {
            let arguments = arguments.into_iter().skip(1).map(Into::into);
            let asked = Arguments::parse(arguments, Path::new(&folder));
            if asked.capture {
                open_capture(app);
            } else {
                answer(app, asked.requests);
            }
        }));
    }
    app = updates::add(app, context.config_mut());
    // Only the first window comes back where it was. The labels of the others mean something else in the next run.
    let window_state = tauri_plugin_window_state::Builder::default()
        .with_state_flags(state_flags)
        .with_filter(|label| label == windows::MAIN);
    app.plugin(window_state.build())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_deep_link::init())
        .invoke_handler(builder.invoke_handler())
        // The window is hidden until the page has loaded. It would be empty, and with software rendering
        // WebKit waits up to half a second for its first frame, on the thread that also has to deliver the
        // page.
        .on_page_load(|webview, load| {
            if load.event() == PageLoadEvent::Finished {
                windows::show(&webview.window());
            }
        })
        .manage(windows::Counter::default())
        .manage(Requests::default())
        .manage(shortcut::CaptureKey::default())
        .manage(tray::Tray::default())
        .manage(Lifetime::default())
        .setup(move |app| {
            builder.mount_events(app);
            app.state::<Requests>().add(arguments.requests);
            follow_links(app.handle());
            let file = app.path().app_config_dir()?.join("shell.json");
            app.manage(SettingsFile::read(file));
            let change_notifier = inklings_mcp::ChangeNotifier::default();
            let events = Arc::new(events::WindowEvents::new(app.handle().clone(), change_notifier.clone()));
            let opening = opening
                .unwrap_or_else(|| tauri::async_runtime::spawn(inklings_commands::open(config.clone())));
            let opening = async {
                let broke_off =
                    |_| CommandError::new(ErrorCode::Internal, "Opening the data folder broke off.");
                opening.await.map_err(broke_off).flatten()
            };
            let updates = updates::source(app.handle());
            let core = Core::start(config, opening, events, change_notifier, updates);
            app.manage(tauri::async_runtime::block_on(core));
            if let Some(window) = app.get_webview_window(windows::MAIN) {
                windows::show_at_last(window);
            }
            start_shell(app.handle(), arguments.capture);
            Ok(())
        })
        .build(context)?
        .run(|app, event| match event {
            RunEvent::WindowEvent { label, event: WindowEvent::Destroyed, .. } => {
                windows::show_last(app, &label);
            }
            // Nobody asked for the end but the last window. The tray is the way back.
            RunEvent::ExitRequested { code: None, api, .. }
                if app.state::<Lifetime>().goes_on_without_window() =>
            {
                api.prevent_exit();
            }
            _ => {}
        });
    Ok(())
}

/// Asks the system for the key and the entry in the tray that the settings want. It happens beside the start: a system that
/// does not answer keeps no window waiting.
fn start_shell(app: &AppHandle, capture: bool) {
    let app = app.clone();
    thread::spawn(move || {
        let wanted = app.state::<SettingsFile>().settings();
        shortcut::apply(&app, &wanted);
        tray::apply(&app, wanted.tray);
        if capture {
            open_capture(&app);
        }
    });
}

fn open_capture(app: &AppHandle) {
    if let Err(error) = windows::open_capture(app) {
        tracing::error!(message = %error.message, "the quick capture did not open");
    }
}

/// True if the program of this user runs. Its name on the bus is that of the plugin for later starts.
#[cfg(target_os = "linux")]
fn runs_already(identifier: &str) -> bool {
    bus::has_owner(&format!("{identifier}.SingleInstance"))
}

/// False: only the plugin knows, when it starts.
#[cfg(not(target_os = "linux"))]
const fn runs_already(_: &str) -> bool {
    false
}

/// Brings the first window to the front and leaves it to its page what the system asks.
fn answer(app: &AppHandle, requests: Vec<Request>) {
    app.state::<Requests>().add(requests);
    if let Err(error) = windows::raise(app) {
        tracing::error!(message = %error.message, "a later start found no window");
    }
    // An error means that no page is open; the one that opens asks by itself.
    if let Err(error) = events::RequestsWaiting.emit(app) {
        tracing::debug!(%error, "a request found no page");
    }
}

/// Hears of links on systems that hand them to the running program, and not to a second start of it.
fn follow_links(app: &AppHandle) {
    let handle = app.clone();
    app.deep_link().on_open_url(move |event| {
        let links = event.urls().into_iter().map(|url| url.to_string().into());
        answer(&handle, Arguments::parse(links, Path::new("")).requests);
    });
}
