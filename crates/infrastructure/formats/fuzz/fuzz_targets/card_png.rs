#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inklings_formats_fuzz::picture(bytes));
