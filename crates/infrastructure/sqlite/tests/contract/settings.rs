//! Settings of the account, and of a workspace.

use inklings_ports::workspace::settings::SettingsStore;

use super::{CheckedFolder, CheckedStage, TempFolder};

async fn setting(store: &dyn SettingsStore, key: &str) -> Option<String> {
    store.setting(key).await.expect("settings are read")
}

async fn set(store: &dyn SettingsStore, key: &str, value: &str) {
    store.set_setting(key, value).await.expect("a setting is kept");
}

async fn settings(folder: &TempFolder) -> std::sync::Arc<dyn SettingsStore> {
    folder.catalogue().account().await.expect("the account's database opens").settings
}

/// Any JSON, byte for byte, whatever its formatting.
#[tokio::test]
async fn a_setting_is_read_back_unchanged() {
    let folder = CheckedFolder::new();
    let store = settings(&folder).await;
    let values = ["true", "{ \"theme\" : \"dark\",\"rates\":[0.999, null] }", "\"門 ' \\\" \"", "[]"];
    for (n, value) in values.into_iter().enumerate() {
        set(store.as_ref(), &format!("key.{n}"), value).await;
    }
    for (n, value) in values.into_iter().enumerate() {
        assert_eq!(setting(store.as_ref(), &format!("key.{n}")).await.as_deref(), Some(value));
    }
}

/// It has no default in the store.
#[tokio::test]
async fn a_setting_without_a_value_is_none() {
    let folder = CheckedFolder::new();
    assert_eq!(setting(settings(&folder).await.as_ref(), "theme").await, None);
}

/// The last value counts; other keys stay.
#[tokio::test]
async fn a_setting_is_replaced() {
    let folder = CheckedFolder::new();
    let store = settings(&folder).await;
    for (key, value) in [("a", "1"), ("b", "2"), ("a", "3")] {
        set(store.as_ref(), key, value).await;
    }
    assert_eq!(setting(store.as_ref(), "a").await.as_deref(), Some("3"));
    assert_eq!(setting(store.as_ref(), "b").await.as_deref(), Some("2"));
}

/// Who read an older value does not write over a newer one.
#[tokio::test]
async fn a_setting_is_replaced_only_if_it_is_unchanged() {
    let folder = CheckedFolder::new();
    let store = settings(&folder).await;
    let replace = async |read, value| store.replace_setting("a", read, value).await.expect("an answer");
    assert!(!replace(Some("1"), "2").await);
    assert!(replace(None, "1").await);
    assert!(!replace(None, "2").await);
    assert!(replace(Some("1"), "2").await);
    assert!(!replace(Some("1"), "3").await);
    assert_eq!(setting(store.as_ref(), "a").await.as_deref(), Some("2"));
}

/// What one process set, the next one reads.
#[tokio::test]
async fn settings_are_durable() {
    let folder = CheckedFolder::new();
    set(settings(&folder).await.as_ref(), "theme", "\"dark\"").await;
    assert_eq!(setting(settings(&folder).await.as_ref(), "theme").await.as_deref(), Some("\"dark\""));
}

/// Each has its own, and so has the account.
#[tokio::test]
async fn settings_of_a_workspace_are_its_own() {
    let stage = CheckedStage::new().await;
    let (account, workspace) = (&stage.account.settings, &stage.workspace.settings);
    set(account.as_ref(), "key", "1").await;
    assert_eq!(setting(workspace.as_ref(), "key").await, None);
    set(workspace.as_ref(), "key", "{ \"a\":  \"門\" }").await;
    set(workspace.as_ref(), "key", "[2]").await;
    let other = stage.scribe.workspace("Other");
    stage.catalogue.create(&other).await.expect("a workspace is made");
    let other = stage.catalogue.open(other.id).await.expect("the workspace opens");
    assert_eq!(setting(other.settings.as_ref(), "key").await, None);
    let again = stage.folder.catalogue().open(stage.workspace.workspace.id).await.expect("it opens again");
    assert_eq!(setting(again.settings.as_ref(), "key").await.as_deref(), Some("[2]"));
    assert_eq!(setting(account.as_ref(), "key").await.as_deref(), Some("1"));
}
