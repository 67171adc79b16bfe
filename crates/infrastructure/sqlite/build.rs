//! Lists the migrations that have the number [`FIRST`] or a higher one. Earlier ones are listed in `src/migrate.rs`.

use std::{collections::BTreeMap, env, error::Error, fmt::Write as _, fs, path::Path};

/// The number of the first migration that is listed here. From it on, all folders share one sequence of numbers, and each file is
/// a migration by itself.
const FIRST: u32 = 100;

/// A folder of migrations.
struct Folder {
    name: &'static str,
    /// The databases that take its migrations.
    databases: &'static [&'static str],
    /// The highest number that `src/migrate.rs` lists.
    listed: u32,
}

const FOLDERS: [Folder; 4] = [
    Folder { name: "memory", databases: &["ACCOUNT", "WORKSPACE"], listed: 11 },
    Folder { name: "account", databases: &["ACCOUNT"], listed: 2 },
    Folder { name: "workspace", databases: &["WORKSPACE"], listed: 21 },
    Folder { name: "world", databases: &["WORLD"], listed: 3 },
];

/// The databases, each with what the placeholders of its migrations stand for.
const DATABASES: [(&str, &str); 3] =
    [("ACCOUNT", "ACCOUNT_WORDS"), ("WORKSPACE", "WORKSPACE_WORDS"), ("WORLD", "&[]")];

/// Parts of the first migration, which have no number.
const WITHOUT_NUMBER: &[&str] = &["entries.sql", "guards.sql", "records.sql"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../../../migrations");
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../../migrations");
    let mut later = BTreeMap::new();
    for folder in &FOLDERS {
        for file in fs::read_dir(root.join(folder.name))? {
            let file = file?.path();
            let name = file.file_name().and_then(|name| name.to_str()).ok_or("a name that is no text")?;
            if WITHOUT_NUMBER.contains(&name) {
                continue;
            }
            let number = number_of(name)
                .ok_or_else(|| format!("{name}: a migration is called like 0100_what_it_adds.sql"))?;
            if number >= FIRST {
                if later.insert(number, (folder, file.clone())).is_some() {
                    return Err(format!("{name}: another migration has this number").into());
                }
            } else if number > folder.listed {
                return Err(format!("{name}: the numbers of new migrations begin at 0{FIRST}").into());
            }
        }
    }
    if !later.keys().copied().eq((FIRST..).take(later.len())) {
        return Err(format!("a number between 0{FIRST} and the last migration is missing").into());
    }
    let mut lists = String::new();
    for (database, words) in DATABASES {
        writeln!(lists, "const {database}_LATER: &[Migration] = &[")?;
        for (_, file) in later.values().filter(|(folder, _)| folder.databases.contains(&database)) {
            writeln!(
                lists,
                "    Migration {{ texts: &[include_str!({:?})], words: {words} }},",
                file.to_str().ok_or("a path that is no text")?
            )?;
        }
        writeln!(lists, "];")?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("later_migrations.rs"), lists)?;
    Ok(())
}

/// The number before the first `_`, of four digits.
fn number_of(name: &str) -> Option<u32> {
    let (number, rest) = name.strip_suffix(".sql")?.split_once('_')?;
    if number.len() == 4 && !rest.is_empty() { number.parse().ok() } else { None }
}
