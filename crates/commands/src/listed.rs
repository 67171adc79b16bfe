// Collects the names of the commands and their effects on memory, for files that include this one.
macro_rules! commands {
    ($($effect:ident $subject:ident :: $name:ident),* $(,)?) => {
        const COMMANDS: &[(&str, &str)] = &[$((stringify!($name), stringify!($effect))),*];
    };
}
include!("registry.rs");
