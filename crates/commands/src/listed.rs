// Collects the names of the commands and their effects on memory, for files that include this one.
macro_rules! commands {
    ($(
        $(#[$doc:meta])*
        $effect:ident $subject:ident $(:: $written:ident)? $(. $name:ident $parameters:tt $(-> $answer:ty)?)?;
    )*) => {
        const COMMANDS: &[(&str, &str)] =
            &[$((concat!($(stringify!($written))? $(stringify!($name))?), stringify!($effect))),*];
    };
}
include!("registry.rs");
