//! Backups, on SQLite.

use std::{fs, path::PathBuf, sync::Arc};

use chrono::TimeDelta;
use inklings_application::{
    backup::{BackupSettings, Backups, ScrubbedData, Watch},
    error::AppError,
};
use inklings_domain::{
    backup::BackupReason,
    provenance::Actor,
    scope::Place,
    workspace::{Workspace, WorkspaceName},
};
use inklings_ports::{
    backup::BackupScope,
    clock::Clock as _,
    testing::builders::{agent, author, task},
};

use crate::support::World;

fn backups(world: &World) -> Backups {
    Backups { catalogue: Arc::clone(&world.catalogue), clock: world.clock.clone() }
}

#[tokio::test]
async fn only_the_worldbuilder_restores_and_purges_backups() {
    let world = World::new().await;
    let backups = backups(&world);
    let set = backups.make(BackupReason::Asked, BackupScope::Everything).await.expect("made");
    let id = set.id.to_string();
    for actor in [agent(), task(), Actor::of_interface(inklings_domain::provenance::Interface::Mcp)] {
        assert!(matches!(
            backups.restore(&id, ScrubbedData::BringBack, actor).await,
            Err(AppError::ActorKind(_))
        ));
        assert!(matches!(backups.purge(&id, actor).await, Err(AppError::ActorKind(_))));
    }
    assert_eq!(backups.list().await.expect("a list"), [set]);
    backups.purge(&id, author()).await.expect("destroyed");
    let account = world.catalogue.account().await.expect("opens");
    let reported = account.memory.audit.rows(None, 5).await.expect("rows");
    assert_eq!(reported[0].entry.scope, format!("backup {id}"));
}

#[tokio::test]
async fn old_backups_are_thinned_out_when_a_new_one_is_made() {
    let world = World::new().await;
    let backups = backups(&world);
    for _ in 0..8 {
        backups.make(BackupReason::Activity, BackupScope::Everything).await.expect("made");
        world.clock.advance(TimeDelta::minutes(15));
    }
    let left = backups.list().await.expect("a list").len();
    assert!((2..=3).contains(&left), "one an hour: {left}");
}

#[tokio::test]
async fn settings_that_make_no_sense_are_refused_by_name() {
    let world = World::new().await;
    let backups = backups(&world);
    let good = BackupSettings { every_minutes: 0, max_megabytes: 500 };
    backups.set_settings(good).await.expect("set");
    for (settings, wrong) in [
        (BackupSettings { every_minutes: 1_441, ..good }, "everyMinutes"),
        (BackupSettings { max_megabytes: 0, ..good }, "maxMegabytes"),
    ] {
        let refused = backups.set_settings(settings).await;
        assert!(matches!(refused, Err(AppError::Input { field, .. }) if field == wrong));
    }
    assert_eq!(backups.settings().await, good);
    let unknown = backups.check("../../etc").await;
    assert!(matches!(unknown, Err(AppError::NotFound { what: "backup", .. })));
}

#[tokio::test]
async fn a_backup_is_due_an_interval_after_the_first_write_and_never_without_writes() {
    let world = World::new().await;
    let mut watch = Watch::default();
    let activity = async || world.catalogue.activity().await.expect("counters");
    let (start, here) = (world.clock.now(), world.session.workspace.workspace.id);
    assert_eq!(watch.due(&activity().await, start, 15), []);
    assert_eq!(watch.due(&activity().await, start + TimeDelta::hours(9), 15), [], "nothing was written");
    world.write(Place::Workspace, "The gate opens at dawn.").await;
    assert_eq!(watch.due(&activity().await, start + TimeDelta::hours(10), 15), []);
    assert_eq!(watch.due(&activity().await, start + TimeDelta::minutes(614), 15), []);
    assert_eq!(watch.due(&activity().await, start + TimeDelta::minutes(615), 0), [], "0 is never");
    assert_eq!(watch.due(&activity().await, start + TimeDelta::minutes(615), 15), [here]);
    for (id, counter) in activity().await {
        watch.saved(id, counter);
    }
    assert_eq!(watch.due(&activity().await, start + TimeDelta::hours(99), 15), []);
}

#[tokio::test]
async fn an_automatic_backup_holds_every_workspace_that_was_written_in() {
    let world = World::new().await;
    let (backups, mut watch) = (backups(&world), Watch::default());
    let here = world.session.workspace.workspace.id;
    let mut made = async || {
        backups.make_due(&mut watch).await.expect("nothing is due yet");
        world.clock.advance(TimeDelta::minutes(15));
        backups.make_due(&mut watch).await.expect("made")
    };
    assert_eq!(made().await, None);
    world.write(Place::Workspace, "The gate opens at dawn.").await;
    // The worldbuilder goes on in another world.
    let name = WorkspaceName::new("The High Fells").expect("a name");
    let (id, created_at) = (world.session.ids.workspace_id(), world.clock.now());
    world.catalogue.create(&Workspace { id, name, created_at }).await.expect("created");
    world.catalogue.open(id).await.expect("opens");
    let set = made().await.expect("a backup");
    assert!(set.holds(here) && set.holds(id), "{set:?}");
    assert_eq!(made().await, None, "both are in it");
    world.write(Place::Workspace, "The gate closes at dusk.").await;
    let set = made().await.expect("a backup");
    assert!(set.holds(here) && !set.holds(id), "{set:?}");
}

#[tokio::test]
async fn an_automatic_backup_that_fails_is_made_an_interval_later() {
    let world = World::new().await;
    let (backups, mut watch) = (backups(&world), Watch::default());
    assert_eq!(backups.make_due(&mut watch).await.expect("asked"), None);
    world.write(Place::Workspace, "The gate opens at dawn.").await;
    assert_eq!(backups.make_due(&mut watch).await.expect("asked"), None);
    let sets = PathBuf::from(world.catalogue.backup_folder());
    fs::create_dir_all(sets.parent().expect("a folder")).expect("made");
    fs::write(&sets, "no folder").expect("written");
    world.clock.advance(TimeDelta::minutes(15));
    backups.make_due(&mut watch).await.expect_err("there is no place for it");
    fs::remove_file(&sets).expect("removed");
    assert_eq!(backups.make_due(&mut watch).await.expect("asked"), None, "not at every check");
    world.clock.advance(TimeDelta::minutes(15));
    let set = backups.make_due(&mut watch).await.expect("made").expect("a backup");
    assert!(set.holds(world.session.workspace.workspace.id));
}
