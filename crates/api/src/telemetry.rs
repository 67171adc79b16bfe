//! Disables the telemetry of ONNX Runtime, so that no data leaves the computer.
//!
//! The published builds of ONNX Runtime from 1.29 on report to their vendor by default: they write a device
//! identifier and an event queue into the cache folder, send them, and read this process's command line,
//! which can contain search text. The switch in the library's API takes effect too late, after its
//! environment is created. Only this environment variable, set before, disables everything.
//!
//! `unsafe` is allowed in this module only, for the one call that sets an environment variable.
#![allow(unsafe_code, reason = "setting a variable is unsafe once there are threads; see `forbid`")]

/// Read by ONNX Runtime when it starts.
const SWITCH: &str = "ORT_DISABLE_TELEMETRY";

/// Disables telemetry of ONNX Runtime in this process and its child processes. Call it first in `main`,
/// before any other thread starts.
pub fn forbid() {
    // SAFETY: the first statement of `main`, by contract: no other thread is there to read the environment.
    unsafe { std::env::set_var(SWITCH, "1") };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telemetry_is_switched_off_in_the_environment() {
        forbid();
        assert_eq!(std::env::var(SWITCH).as_deref(), Ok("1"));
    }
}
