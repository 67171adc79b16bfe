//! Keys in a file. The keychain itself belongs to a person and is left alone.

use std::fs;

use inklings_llm::Keychain;
use inklings_ports::model::chat::{Secret, SecretStore};
use tempfile::{TempDir, tempdir};

use crate::support::runs_in_own_process;

const KEY: &str = "sk-very-secret-key";

fn store() -> (TempDir, Keychain) {
    let folder = tempdir().expect("a folder");
    let store = Keychain::file_only(folder.path().join("data"));
    (folder, store)
}

async fn stored(store: &Keychain, name: &str) -> Option<String> {
    store.secret(name).await.expect("a store that works").map(|secret| secret.reveal().to_owned())
}

#[tokio::test]
async fn a_key_is_stored_replaced_and_removed() {
    let (folder, store) = store();
    assert_eq!(store.place(), "a protected file");
    assert_eq!(stored(&store, "a").await, None);
    store.set_secret("a", None).await.unwrap();
    assert!(!folder.path().join("data").exists(), "removing nothing writes nothing");
    store.set_secret("a", Some(Secret::new(KEY))).await.unwrap();
    store.set_secret("b", Some(Secret::new("other \"ü\""))).await.unwrap();
    assert_eq!(stored(&store, "a").await.as_deref(), Some(KEY));
    let again = Keychain::file_only(folder.path().join("data"));
    assert_eq!(stored(&again, "b").await.as_deref(), Some("other \"ü\""));
    again.set_secret("a", Some(Secret::new("new"))).await.unwrap();
    assert_eq!(stored(&store, "a").await.as_deref(), Some("new"));
    store.set_secret("a", None).await.unwrap();
    assert_eq!((stored(&store, "a").await, stored(&store, "b").await.is_some()), (None, true));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (folder, store) = store();
    store.set_secret("a", Some(Secret::new(KEY))).await.unwrap();
    let path = folder.path().join("data/secrets.json");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(stored(&store, "a").await.as_deref(), Some(KEY));
    assert_eq!(mode(), 0o600, "what a copy allowed is taken back");
    let names = fs::read_dir(folder.path().join("data")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["secrets.json", "secrets.lock"], "nothing temporary stays");
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_place_of_the_file_is_refused() {
    let (folder, store) = store();
    let data = folder.path().join("data");
    fs::create_dir_all(&data).unwrap();
    let elsewhere = folder.path().join("elsewhere.json");
    fs::write(&elsewhere, format!("{{\"a\":\"{KEY}\"}}")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, data.join("secrets.json")).unwrap();
    assert!(store.secret("a").await.is_err());
    assert!(store.set_secret("a", Some(Secret::new("x"))).await.is_err());
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), format!("{{\"a\":\"{KEY}\"}}"));
}

#[tokio::test]
async fn a_damaged_secrets_file_is_reported_without_its_content_and_not_changed() {
    let (folder, store) = store();
    let data = folder.path().join("data");
    fs::create_dir_all(&data).unwrap();
    for damaged in [format!("{{\"a\":\"{KEY}"), format!("\"{KEY}\""), String::new()] {
        fs::write(data.join("secrets.json"), &damaged).unwrap();
        let error = store.secret("a").await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
        assert!(store.set_secret("a", Some(Secret::new("x"))).await.is_err());
        assert_eq!(fs::read_to_string(data.join("secrets.json")).unwrap(), damaged);
    }
}

#[tokio::test]
async fn keys_that_are_set_concurrently_are_all_stored() {
    let (folder, _) = store();
    let data = folder.path().join("data");
    let setting = (0..8).map(|at| {
        let store = Keychain::file_only(&data);
        async move { store.set_secret(&format!("key{at}"), Some(Secret::new("x"))).await }
    });
    for set in futures::future::join_all(setting).await {
        set.unwrap();
    }
    let store = Keychain::file_only(&data);
    for at in 0..8 {
        assert!(stored(&store, &format!("key{at}")).await.is_some(), "key{at}");
    }
}

#[tokio::test]
async fn a_key_is_in_nothing_that_is_printed() {
    let (_folder, store) = store();
    store.set_secret("a", Some(Secret::new(KEY))).await.unwrap();
    assert!(!format!("{store:?} {:?}", store.secret("a").await).contains(KEY));
}

#[tokio::test]
async fn the_environment_can_demand_the_file() {
    if !runs_in_own_process("secrets::the_environment_can_demand_the_file", &[("INKLINGS_SECRETS", "file")]) {
        return;
    }
    let folder = tempdir().unwrap();
    let store = Keychain::new(folder.path());
    assert_eq!(store.place(), "a protected file");
    store.set_secret("a", Some(Secret::new(KEY))).await.unwrap();
    assert_eq!(stored(&store, "a").await.as_deref(), Some(KEY));
    assert!(folder.path().join("secrets.json").exists());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn without_a_keychain_keys_go_to_the_file() {
    let nowhere = [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"), ("INKLINGS_SECRETS", "")];
    if !runs_in_own_process("secrets::without_a_keychain_keys_go_to_the_file", &nowhere) {
        return;
    }
    let folder = tempdir().unwrap();
    let store = Keychain::new(folder.path());
    store.set_secret("a", Some(Secret::new(KEY))).await.unwrap();
    assert_eq!(store.place(), "a protected file");
    assert_eq!(stored(&store, "a").await.as_deref(), Some(KEY));
    assert!(folder.path().join("secrets.json").exists());
}

/// Run by hand, with a session bus and a keychain that may be written to.
#[tokio::test]
#[ignore = "writes to the keychain of whoever runs it"]
async fn a_keychain_is_preferred_and_takes_the_keys_over_from_the_file() {
    let folder = tempdir().unwrap();
    let before = Keychain::file_only(folder.path());
    before.set_secret("test/a", Some(Secret::new("old"))).await.unwrap();
    let store = Keychain::new(folder.path());
    assert_eq!(store.place(), "the system keychain");
    assert_eq!(stored(&store, "test/a").await.as_deref(), Some("old"), "what the file holds is still found");
    store.set_secret("test/a", Some(Secret::new(KEY))).await.unwrap();
    assert_eq!(stored(&store, "test/a").await.as_deref(), Some(KEY));
    assert_eq!(stored(&before, "test/a").await, None, "and has left the file");
    store.set_secret("test/a", None).await.unwrap();
    store.set_secret("test/a", None).await.unwrap();
    assert_eq!(stored(&store, "test/a").await, None);
}
