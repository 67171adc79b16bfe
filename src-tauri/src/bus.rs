//! The session bus of the desktop.

/// True if a program has this name on the bus.
#[cfg(target_os = "linux")]
pub fn has_owner(name: &str) -> bool {
    let name = name.to_owned();
    // The blocking calls of the bus must not run on a thread of the async runtime.
    let asked = std::thread::spawn(move || {
        let bus = zbus::blocking::Connection::session()?;
        let bus = zbus::blocking::fdo::DBusProxy::new(&bus)?;
        bus.name_has_owner(name.as_str().try_into()?).map_err(zbus::Error::from)
    });
    asked.join().is_ok_and(|answer| answer.unwrap_or(false))
}
