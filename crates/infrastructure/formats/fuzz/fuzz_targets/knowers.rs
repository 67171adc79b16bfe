#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| inklings_formats_fuzz::knowers(text));
