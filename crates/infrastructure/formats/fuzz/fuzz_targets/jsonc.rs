#![no_main]

use inklings_formats::jsonc;

// A text that is changed is JSON with the new value afterwards, and a second change finds nothing to do.
libfuzzer_sys::fuzz_target!(|text: &str| {
    let new = jsonc::value(r#"{ "command": "inklings" }"#).expect("it is JSON").expect("it has a value");
    if let Ok(after) = jsonc::set(text, &["servers", "inklings"], &new) {
        let read = jsonc::value(&after).expect("it is JSON").expect("it has a value");
        assert_eq!(read["servers"]["inklings"], new);
        assert_eq!(jsonc::set(&after, &["servers", "inklings"], &new).as_deref(), Ok(after.as_str()));
    }
});
