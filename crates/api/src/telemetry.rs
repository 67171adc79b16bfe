//! Promise 6, "it stays here", against a library that would break it.
//!
//! The published builds of ONNX Runtime from 1.29 on report to their maker by default: they write an identifier of
//! the device and a queue of events into the cache folder and send them, and they read this process's command
//! line on the way, which can hold what somebody searches for. The library's own switch in its API comes too late,
//! after its environment is made. Only this variable, set before, turns everything off.
//!
//! `unsafe` is allowed in this module alone, for the one call that sets a variable of the environment.
#![allow(unsafe_code, reason = "setting a variable is unsafe once there are threads; see `forbid`")]

/// Read by ONNX Runtime when it starts.
const SWITCH: &str = "ORT_DISABLE_TELEMETRY";

/// Turns off every report of ONNX Runtime in this process and those it starts. Call it first thing in `main`,
/// before there is another thread.
pub fn forbid() {
    // SAFETY: the first statement of `main`, by contract: no other thread is there to read the environment.
    unsafe { std::env::set_var(SWITCH, "1") };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_is_on_afterwards() {
        forbid();
        assert_eq!(std::env::var(SWITCH).as_deref(), Ok("1"));
    }
}
