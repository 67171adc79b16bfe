//! Every tool of the World Agent that brings a text into memory, tried with every kind of text that can be read elsewhere.

use inklings_application::{
    error::{GuardRefusal, Passage},
    testing::pages::link_pages,
    turn::specs,
};
use inklings_domain::{
    conversation::message::Role,
    provenance::{Actor, ActorKind, Interface},
    scope::Place,
};
use inklings_ports::{
    model::chat::ToolCall,
    testing::builders::{agent, author, draft},
};
use serde_json::{Value, json};

use crate::support::World;

const ON_A_PAGE: &str = "The harbour lies in the north.";

#[tokio::test]
async fn no_tool_stores_a_derivable_text() {
    let world = World::new().await;
    let session = &world.session;
    link_pages(session, "Atlas", &[("Harbour.md", ON_A_PAGE)]).await;
    let conversation = world.conversation().await;
    let mine = world.remember(draft(Place::Workspace, "The lamp burns at night."), agent()).await;
    let own = world.write(Place::Workspace, "Edda keeps the keys.").await;
    let known = world.write(Place::Workspace, "The gate of Veyra is made of iron.").await;
    session.facts().set("Mira", "age", "34", None, author()).await.expect("a fact");
    world.say(&conversation, Role::User, "The harbour freezes every third winter.").await;
    let shown = vec!["Captain Lind lost three ships at Veyra.".to_owned()];
    let derivable = [
        ("The gate of Veyra is made of iron", GuardRefusal::Noted(known, Passage::default())),
        ("Mira's age is 34.", GuardRefusal::Fact(Passage::default())),
        ("The harbour freezes every third winter", GuardRefusal::Said),
        (ON_A_PAGE, GuardRefusal::Content(Passage::default())),
        ("Captain Lind lost three ships at Veyra.", GuardRefusal::Echo(Passage::default())),
    ];
    let run = Actor::new(ActorKind::Agent, Interface::Window, Some(session.ids.run_id())).expect("admitted");
    let ask = async |name: &str, arguments: Value| {
        let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.to_string() };
        session.turns().run_tool(&conversation, &call, &shown, run).await.0
    };
    let mut paths = 0;
    for spec in specs().iter().filter(|spec| spec.schema["properties"]["content"].is_object()) {
        let ways: Vec<Value> = match spec.name {
            "memory_put" => {
                ["conversation", "channel", "workspace"].map(|tier| json!({ "tier": tier })).into()
            }
            // Of an agent's own entry, and as a proposal about one of the author's.
            "memory_update" => [mine, own].map(|id| json!({ "id": id.to_string() })).into(),
            other => panic!("what may '{other}' put into memory?"),
        };
        for way in ways {
            paths += 1;
            for (text, refusal) in &derivable {
                let mut arguments = way.clone();
                arguments["content"] = json!(text);
                let answer = ask(spec.name, arguments).await;
                assert!(answer.contains(&refusal.to_string()), "{} {way} '{text}': {answer}", spec.name);
            }
        }
    }
    assert_eq!(paths, 5);
    assert_eq!(session.proposals().count_open().await.expect("counted"), 0);
    let better =
        ask("memory_update", json!({ "id": mine.to_string(), "content": "The lamp burns all night." })).await;
    assert!(better.contains("updated"), "an entry may be said better: {better}");
}
