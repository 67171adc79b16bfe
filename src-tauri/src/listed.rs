// The names of the shell's commands, for the permissions that the build script writes.

/// The names of the shell's commands in the order of their bindings.
pub(crate) const SHELL_COMMANDS: &[&str] = &[
    "open_window",
    "take_requests",
    "open_capture",
    "put_aside_capture",
    "shell_status",
    "set_capture_shortcut",
    "set_tray",
    "set_tray_texts",
];
