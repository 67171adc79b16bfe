//! Entry point of the desktop app.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    match inklings_desktop::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Inklings could not start: {error}");
            ExitCode::FAILURE
        }
    }
}
