//! Completing candidates reads what stands around them and nothing else.

use inklings_domain::ids::MessageId;

use super::World;
use crate::{
    schema_tests::plan,
    search::complete::{around_entries, around_messages},
};

#[tokio::test]
async fn what_stands_around_an_entry_is_looked_up_by_its_number() {
    let world = World::new().await;
    let steps = plan(&world.db, &around_entries(&[1]).into_string()).await;
    let tables = steps.iter().filter(|step| step.contains(" w ") || step.contains(" m "));
    let steps: Vec<&String> = tables.collect();
    assert_eq!(steps, ["SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"]);
}

#[tokio::test]
async fn what_stands_around_a_message_is_looked_up_by_its_position() {
    let world = World::new().await;
    let message = MessageId::from_uuid(uuid::Uuid::from_u128(1));
    let steps = plan(&world.db, &around_messages(&world.db, &[message]).into_string()).await;
    let tables = steps.iter().filter(|step| step.contains(" w ") || step.contains(" m "));
    let keys = [
        "INTEGER PRIMARY KEY (rowid=?)",
        "(workspace_id=? AND id=?)",
        "(workspace_id=? AND conversation_id=? AND position>? AND position<?)",
    ];
    assert_eq!(tables.clone().count(), 3, "{steps:?}");
    assert!(tables.clone().all(|step| keys.iter().any(|key| step.ends_with(key))), "{steps:?}");
}
