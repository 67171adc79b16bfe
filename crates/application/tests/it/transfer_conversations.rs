//! Conversations of our own format: what is known of how their messages were written, and what they share.

use std::collections::BTreeSet;

use inklings_application::{
    conversation::summarise::Extractive,
    extraction::Helpers,
    testing::{laundering::File, world::everything},
    transfer::{Conflicts, ExportOptions, ExportScope, Picks, Wanted},
};
use inklings_domain::{
    consolidation::run::RunTrigger,
    conversation::{
        Conversation,
        message::{NewMessage, Role},
        ref_code::RefCode,
    },
    ids::{ClientId, ConversationId},
    memory::filter::Sort,
    provenance::Interface,
    scope::Place,
};
use inklings_ports::{
    client::write_store::ClientAct,
    conversation::transcript_store::MessageRange,
    progress::NoProgress,
    testing::builders::author,
    transfer::{
        file::{FileRow, RowLinks},
        shape::{OWN, Section},
        store::Fields,
    },
};
use serde_json::{Value, json};

use crate::support::World;

const SECRET: &str = "From now on the harbour of Veyra freezes every third winter.";
const OPEN: &str = "From now on the gate of Ambry is shut at dusk.";

pub async fn exported(world: &World) -> Value {
    let scope = ExportScope { account: false, workspace: true, channel: None, conversation: None };
    let options = ExportOptions { scope, embeddings: false, journal: false };
    let mut out = Vec::new();
    world.session.transfers().export(&mut out, options, &NoProgress).await.expect("exported");
    serde_json::from_slice(&out).expect("JSON")
}

pub fn rows_of(file: &Value) -> Vec<FileRow> {
    let of = |section: Section| {
        let rows = file[section.name()].as_array().cloned().unwrap_or_default();
        rows.into_iter().filter_map(move |row| row.as_object().cloned().map(|fields| (section, fields)))
    };
    let all = Section::ALL.into_iter().filter(|section| *section != Section::Journal).flat_map(of);
    let row = |(n, (section, fields)): (usize, (Section, Fields))| FileRow {
        section,
        line: n as u64 + 1,
        place: None,
        fields,
        links: RowLinks::default(),
    };
    all.enumerate().map(row).collect()
}

async fn import(world: &World, rows: Vec<FileRow>) {
    let file = File(OWN, rows);
    let wanted = Wanted {
        conflicts: Conflicts::Newer,
        interface: Interface::Cli,
        place: Place::Workspace,
        picks: Picks::ALL,
        whole: BTreeSet::new(),
    };
    let transfers = world.session.transfers();
    let hash = transfers.preview(&file, wanted.clone(), &NoProgress).await.expect("a plan").hash;
    transfers.import(&file, wanted, &hash, &NoProgress).await.expect("imported");
}

fn client() -> ClientId {
    "01900000-0000-7000-8000-00000000cccc".parse().expect("an id")
}

/// How the first message of a conversation was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    OffRecord,
    ByClient,
}

/// A conversation with a message that nothing may be learnt from, and one that may be learnt from.
async fn conversation(world: &World, written: Written) -> Conversation {
    let conversation = world.conversation().await;
    match written {
        Written::OffRecord => {
            world.session.switch().set_enabled(false).await.expect("off");
            world.say(&conversation, Role::User, SECRET).await;
            world.session.switch().set_enabled(true).await.expect("on");
        }
        Written::ByClient => {
            let at = world.session.clock.now();
            let message = NewMessage::new(world.session.ids.message_id(), Role::User, SECRET, at);
            let act = message.expect("a message");
            let act = ClientAct::Say(conversation.id, &act);
            world.session.workspace.client_writes.write(client(), act, at).await.expect("said");
        }
    }
    world.say(&conversation, Role::User, OPEN).await;
    world.say(&conversation, Role::Assistant, "Noted. Shall the gate be guarded?").await;
    conversation
}

async fn learnt(world: &World, id: ConversationId) -> Vec<String> {
    world.session.conversations().set_idle(id).await.expect("ended");
    let helpers = Helpers { summariser: &Extractive, model: None };
    let extraction = world.session.extraction();
    extraction.pending(&helpers, RunTrigger::Closed, Interface::Task).await.expect("worked up");
    let all = world.session.memories().every(&everything(), Sort::CreatedAsc).await.expect("a list");
    all.into_iter().map(|entry| entry.content).collect()
}

#[tokio::test]
async fn how_messages_were_written_survives_an_export_and_an_import() {
    for written in [Written::OffRecord, Written::ByClient] {
        let world = World::new().await;
        let id = conversation(&world, written).await.id;
        let file = exported(&world).await;
        let (off, by) = match written {
            Written::OffRecord => (json!(true), Value::Null),
            Written::ByClient => (Value::Null, json!(client().to_string())),
        };
        let messages = &file["messages"];
        assert_eq!((&messages[0]["off_record"], &messages[0]["client"]), (&off, &by), "{written:?}");
        for n in [1, 2] {
            let fields = messages[n].as_object().expect("a row");
            assert!(!fields.contains_key("off_record") && !fields.contains_key("client"), "{written:?}");
        }
        let other = World::new().await;
        import(&other, rows_of(&file)).await;
        assert_eq!(exported(&other).await["messages"], *messages, "{written:?}");
        let queued = other.session.workspace.drifts.queued_messages(10).await.expect("read").len();
        assert_eq!(queued, if written == Written::OffRecord { 2 } else { 3 }, "{written:?}");
        let plan = other.session.compaction();
        let same = other.session.conversations().by_id(id).await.expect("there");
        let plan = plan.preview(&same, Some(0), &Extractive).await.expect("planned").expect("enough");
        assert_eq!(plan.summary.contains("Veyra"), written == Written::ByClient, "{}", plan.summary);
        assert_eq!(plan.sources.len(), usize::from(written == Written::ByClient));
        let learnt = learnt(&other, id).await;
        assert!(learnt.iter().any(|text| text.contains("Ambry")), "{written:?}: {learnt:?}");
        assert!(!learnt.iter().any(|text| text.contains("Veyra")), "{written:?}: {learnt:?}");
    }
}

#[tokio::test]
async fn what_a_client_wrote_can_be_taken_back_after_an_import() {
    let world = World::new().await;
    let id = conversation(&world, Written::ByClient).await.id;
    let other = World::new().await;
    import(&other, rows_of(&exported(&world).await)).await;
    let undone = other.session.client_writes().undo_client(client(), author()).await.expect("undone").writes;
    assert_eq!((undone.messages, undone.not_undone), (1, Vec::new()));
    assert!(!texts(&other, id).await.iter().any(|text| text == SECRET));
}

/// The texts of a whole transcript.
async fn texts(world: &World, id: ConversationId) -> Vec<String> {
    let page = world.session.transcripts().whole_page(id, MessageRange::After(0), 50).await.expect("read");
    page.messages.into_iter().map(|message| message.body.content).collect()
}

#[tokio::test]
async fn an_imported_conversation_shares_messages_only_with_one_of_its_lens() {
    let mira = "01900000-0000-7000-8000-00000000aaaa";
    for (lens, shares) in [
        (json!({}), true),
        (json!({ "knower_id": mira }), false),
        (json!({ "as_of": 10_000 }), false),
        (json!({ "as_of_chapter": mira }), false),
    ] {
        let world = World::new().await;
        let original = world.conversation().await;
        world.say(&original, Role::User, SECRET).await;
        let (id, at) = ("01900000-0000-7000-8000-00000000bbbb", "2026-01-02T03:04:05.000000Z");
        let mut row = json!({
            "id": id, "channel_id": "default", "ref_code": RefCode::from_bits(7).to_string(), "status": "active",
            "started_at": at, "active_at": at, "last_position": 0, "continues_id": original.id.to_string(),
            "shares_through": 1,
        });
        let fields = row.as_object_mut().expect("a row");
        fields.extend(lens.as_object().cloned().expect("fields"));
        let row = FileRow {
            section: Section::Conversations,
            line: 1,
            place: None,
            fields: fields.clone(),
            links: RowLinks::default(),
        };
        import(&world, vec![row]).await;
        let id = id.parse().expect("an id");
        let shared: &[&str] = if shares { &[SECRET] } else { &[] };
        assert_eq!(texts(&world, id).await, shared, "{lens}");
        let made = world.session.conversations().by_id(id).await.expect("there");
        assert_eq!((made.continues, made.shares_through), (Some(original.id), shares.then_some(1)), "{lens}");
    }
}
