//! Where the folder of a vault may lie.

use std::path::Path;

use crate::error::VaultError;

/// Checks where a folder lies. All paths are absolute and without links.
pub(super) fn check_place<'v>(
    path: &str,
    data_dir: &str,
    linked: impl Iterator<Item = &'v str>,
) -> Result<(), VaultError> {
    let lies_in = |path: &str, folder: &str| Path::new(path).starts_with(Path::new(folder));
    if lies_in(path, data_dir) {
        return Err(VaultError::InDataFolder);
    }
    if lies_in(data_dir, path) {
        return Err(VaultError::HoldsDataFolder);
    }
    for other in linked {
        if other == path {
            return Err(VaultError::Linked);
        }
        if lies_in(path, other) {
            return Err(VaultError::InVault);
        }
        if lies_in(other, path) {
            return Err(VaultError::HoldsVault);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vault_lies_neither_in_another_nor_in_the_data_folder_nor_around_them() {
        let check = |path| check_place(path, "/home/mira/data", ["/home/mira/notes"].into_iter());
        assert_eq!(check("/home/mira/data"), Err(VaultError::InDataFolder));
        assert_eq!(check("/home/mira/data/x"), Err(VaultError::InDataFolder));
        assert_eq!(check("/home/mira"), Err(VaultError::HoldsDataFolder));
        assert_eq!(check("/home/mira/notes"), Err(VaultError::Linked));
        assert_eq!(check("/home/mira/notes/a"), Err(VaultError::InVault));
        assert_eq!(check_place("/n", "/d", ["/n/a"].into_iter()), Err(VaultError::HoldsVault));
        assert_eq!((check("/home/mira/notes2"), check("/home/mira/database")), (Ok(()), Ok(())));
    }
}
