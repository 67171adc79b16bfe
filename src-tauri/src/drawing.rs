//! Rendering of the page on machines without a graphics card.

/// Switches WebKit to software rendering on Linux without a graphics card: virtual machines, remote desktops,
/// test displays. There WebKit's compositor uses Mesa's software driver, which copies every frame again and
/// was seen to crash the page (a fault in `swrast_dri.so`, thread `ThreadedCompositor`). WebKit reads the
/// variable when it loads, and a running program cannot safely change its own environment, so the program
/// restarts itself with the variable set. If the variable is set already, to any value, it is left unchanged.
#[cfg(target_os = "linux")]
pub fn without_graphics_card() {
    use std::{
        env,
        os::unix::process::CommandExt,
        process::{self, Command},
    };

    const SWITCH: &str = "WEBKIT_DISABLE_COMPOSITING_MODE";
    if env::var_os(SWITCH).is_some() || has_graphics_card() {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let error = Command::new(program).args(env::args_os().skip(1)).env(SWITCH, "1").exec();
    // Reached only if the restart failed; the page is then rendered with WebKit's default.
    eprintln!("process {}: {error}", process::id());
}

/// Does nothing on other systems.
#[cfg(not(target_os = "linux"))]
pub const fn without_graphics_card() {}

/// True if the kernel has a rendering device.
#[cfg(target_os = "linux")]
fn has_graphics_card() -> bool {
    let Ok(devices) = std::fs::read_dir("/dev/dri") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("render"))
}
