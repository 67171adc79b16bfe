#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inklings_formats_fuzz::read(
    bytes,
    inklings_formats::entries::Format::KoboldAi
));
