//! How the page is drawn where there is no graphics card.

/// Has the processor draw the page itself where Linux offers no graphics card: virtual machines, remote desktops, the
/// display of a test. There WebKit's compositor goes through Mesa's software driver, which copies every picture once
/// more and was seen to crash the page (a fault in `swrast_dri.so`, thread `ThreadedCompositor`). WebKit reads the switch
/// when it loads, and a running program cannot safely change its own environment: the program begins again with it.
/// Whoever sets the variable, to whatever value, decides for themselves.
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
    // Only a failure comes back. The page is drawn as WebKit likes then.
    eprintln!("process {}: {error}", process::id());
}

/// Elsewhere the system decides.
#[cfg(not(target_os = "linux"))]
pub const fn without_graphics_card() {}

/// True if the kernel offers a device to draw with.
#[cfg(target_os = "linux")]
fn has_graphics_card() -> bool {
    let Ok(devices) = std::fs::read_dir("/dev/dri") else { return false };
    devices.flatten().any(|device| device.file_name().to_string_lossy().starts_with("render"))
}
