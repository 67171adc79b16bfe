//! Every tool by which a client brings a text into memory, tried with what stands in the conversation word for word.

use inklings_domain::conversation::{Conversation, message::Role};

use super::*;

const SHARED: &str = "The harbour freezes every third winter.";
const OWN: &str = "The lamp keeper counts his steps.";
/// In the conversation that was branched, after the beginning of the branch.
const LATER: &str = "Ropes are sold by the yard in Tolm.";

/// The tools with a text, each for the entries that it is about.
const WAYS: [&str; 4] = ["put", "update", "propose an edit", "propose a merge"];

struct Stage {
    setup: Setup,
    client: ClientSession,
    branch: Conversation,
    mine: [MemoryId; 2],
}

async fn stage(reads_original: bool) -> Stage {
    let (setup, client, _) = setup().await;
    let world = &setup.world;
    let original = world.conversation().await;
    world.say(&original, Role::User, SHARED).await;
    world.say(&original, Role::Assistant, "The ice is thick then.").await;
    let next = world.say(&original, Role::User, LATER).await;
    let branch =
        world.session.conversations().branch(original.id, next.position).await.expect("a branch begins");
    world.say(&branch, Role::User, OWN).await;
    let place = Place::Conversation(branch.channel_id, branch.id);
    let mut mine = Vec::new();
    for text in ["The mill is old.", "A bridge leads over the river."] {
        mine.push(world.remember(draft(place, text), agent()).await);
    }
    grant(&setup, &client, |grants| {
        grants.tiers.conversation = ALL;
        grants.conversations.insert(branch.id);
        if reads_original {
            grants.conversations.insert(original.id);
        }
        grants.capabilities.insert(Capability::Propose);
    })
    .await;
    Stage { setup, client, branch, mine: [mine[0], mine[1]] }
}

impl Stage {
    async fn brings_in(&self, way: &str, text: &str) -> Result<(), AppError> {
        let code = self.branch.ref_code.to_string();
        match way {
            "put" => {
                let at = Where {
                    tier: MemoryScope::Conversation,
                    channel: None,
                    conversation: Some(code.as_str()),
                };
                self.client.put(at, note(text)).await.map(drop)
            }
            "update" => self.client.update(self.mine[0], None, patch(text), &[]).await.map(drop),
            "propose an edit" | "propose a merge" => {
                let (kind, ids) = match way {
                    "propose an edit" => (ProposalKind::Edit, &self.mine[..1]),
                    _ => (ProposalKind::Merge, &self.mine[..]),
                };
                self.client.propose(kind, ids, Some(text.to_owned()), "better").await.map(drop)
            }
            _ => panic!("how to {way} is not known here"),
        }
    }
}

#[tokio::test]
async fn no_tool_of_a_client_stores_what_stands_in_the_conversation_or_in_what_a_branch_shares() {
    for way in WAYS {
        for (text, reads_original, is_refused) in [
            (OWN, true, true),
            (SHARED, true, true),
            (LATER, true, false),
            // A grant for a branch is none for what it branched from.
            (OWN, false, true),
            (SHARED, false, false),
        ] {
            let stage = stage(reads_original).await;
            let done = stage.brings_in(way, text).await;
            let stands_there = matches!(done, Err(AppError::Guard(GuardRefusal::Said)));
            assert_eq!(
                stands_there, is_refused,
                "{way} '{text}', reads the original: {reads_original}: {done:?}"
            );
            assert!(stands_there || done.is_ok(), "{way} '{text}': {done:?}");
            assert!(stage.setup.world.entry(stage.mine[0]).await.is_active());
        }
    }
}
