// The list of commands by their names, for whoever includes this file: each with what the list says that it does to memory.
macro_rules! commands {
    ($($effect:ident $subject:ident :: $name:ident),* $(,)?) => {
        const COMMANDS: &[(&str, &str)] = &[$((stringify!($name), stringify!($effect))),*];
    };
}
include!("registry.rs");
