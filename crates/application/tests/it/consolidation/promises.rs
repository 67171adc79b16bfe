//! The first two promises, for any sequence of acts: no agent and no task changes or hides what is the author's, named or
//! pinned; and whatever a task took out of use comes back.

use std::collections::BTreeMap;

use chrono::Duration;
use inklings_application::{
    agent_write::remember::{Observed, Remembered},
    consolidation::{ConsolidationSettings, TASK},
    conversation::summarise::Extractive,
    extraction::Helpers,
};
use inklings_domain::{
    consolidation::run::{RunState, RunTrigger},
    conversation::message::Role,
    ids::MemoryId,
    memory::{MemoryDraft, MemoryEntry, MemoryPatch, decay::DecayConfig},
    provenance::Interface,
    scope::{MemoryLifetime, Place},
};
use inklings_ports::testing::builders::{agent, author, draft, import, new_text};
use proptest::prelude::*;

use super::Steps;
use crate::support::World;

/// One step of a test. Numbers choose texts and entries.
#[derive(Debug, Clone)]
enum Act {
    AuthorWrites(u8),
    ImportWrites(u8),
    AuthorNames(u8),
    AuthorPins(u8),
    AgentRemembers(u8),
    AgentRewrites(u8, u8),
    AgentForgets(u8),
    AgentPins(u8),
    Talk(u8),
    DaysPass(u8),
    Consolidate,
    RevertLastRun,
}

fn act() -> impl Strategy<Value = Act> {
    use Act as A;
    let n = 0u8..8;
    prop_oneof![
        n.clone().prop_map(A::AuthorWrites),
        n.clone().prop_map(A::ImportWrites),
        n.clone().prop_map(A::AuthorNames),
        n.clone().prop_map(A::AuthorPins),
        n.clone().prop_map(A::AgentRemembers),
        n.clone().prop_map(A::AgentRemembers),
        (n.clone(), n.clone()).prop_map(|(a, b)| A::AgentRewrites(a, b)),
        n.clone().prop_map(A::AgentForgets),
        n.clone().prop_map(A::AgentPins),
        n.clone().prop_map(A::Talk),
        n.prop_map(A::DaysPass),
        Just(A::Consolidate),
        Just(A::Consolidate),
        Just(A::RevertLastRun),
    ]
}

/// Eight texts, some of which say the same, some of which contradict each other.
fn text(n: u8) -> &'static str {
    [
        "The gate is iron.",
        "the gate is iron",
        "The gate is bronze.",
        "Mira keeps bees behind the mill.",
        "Mira keeps her bees behind the mill.",
        "Behind the mill Mira keeps bees.",
        "A passing thought.",
        "The bridge has 7 arches.",
    ][usize::from(n % 8)]
}

struct Tried {
    world: World,
    everything: Vec<MemoryId>,
    /// What no agent and no task may touch, as its owner left it.
    protected: BTreeMap<MemoryId, MemoryEntry>,
}

impl Tried {
    async fn new() -> Self {
        let world = World::new().await;
        let settings = ConsolidationSettings { cap: 100, ..ConsolidationSettings::default() };
        world.session.consolidation().set_settings(settings).await.expect("set");
        Self { world, everything: Vec::new(), protected: BTreeMap::new() }
    }

    fn any(&self, n: u8) -> Option<MemoryId> {
        (!self.everything.is_empty()).then(|| self.everything[usize::from(n) % self.everything.len()])
    }

    async fn protect(&mut self, id: MemoryId) {
        let entry = self.world.entry(id).await;
        self.protected.insert(id, entry);
    }

    async fn own(&mut self, draft: MemoryDraft, actor_kind: inklings_domain::provenance::Actor) {
        let id = self.world.remember(draft, actor_kind).await;
        self.everything.push(id);
        self.protect(id).await;
    }

    async fn act(&mut self, act: Act) {
        let session = &self.world.session;
        match act {
            Act::AuthorWrites(n) => self.own(draft(Place::Workspace, text(n)), author()).await,
            Act::ImportWrites(n) => self.own(draft(Place::Workspace, text(n)), import()).await,
            Act::AuthorNames(n) => {
                let scope = inklings_domain::scope::MemoryScope::Workspace;
                if let Ok(made) =
                    session.named_entries().add(scope, &format!("N{n}"), text(n), author()).await
                {
                    self.everything.push(made.id());
                    self.protect(made.id()).await;
                }
            }
            Act::AuthorPins(n) => {
                let Some(id) = self.any(n) else { return };
                let entry = self.world.entry(id).await;
                let patch = MemoryPatch { pinned: Some(true), ..MemoryPatch::default() };
                if session.memories().edit(id, entry.version, patch, author()).await.is_ok() {
                    self.protect(id).await;
                }
            }
            Act::AgentRemembers(n) => {
                let draft = MemoryDraft {
                    lifetime: MemoryLifetime::ShortTerm,
                    importance: f64::from(n) / 8.0,
                    ..draft(Place::Workspace, text(n))
                };
                // Half of them past the guards, as an older release or another door may have left them.
                let made = if n % 2 == 0 {
                    session.memories().create(draft, agent()).await.ok()
                } else {
                    session
                        .agent_writes()
                        .remember(
                            Observed {
                                draft,
                                conversation: None,
                                shown: &[],
                                within: None,
                                links: inklings_domain::subject::NewLinks::default(),
                            },
                            agent(),
                        )
                        .await
                        .ok()
                        .and_then(Remembered::written)
                };
                self.everything.extend(made.map(|made| made.id()));
            }
            Act::AgentRewrites(n, with) => {
                let Some(id) = self.any(n) else { return };
                let version = self.world.entry(id).await.version;
                let _ = session.memories().edit(id, version, new_text(text(with)), agent()).await;
            }
            Act::AgentForgets(n) => {
                let Some(id) = self.any(n) else { return };
                let _ = session.memories().forget(&[id], "the agent says so", agent()).await;
            }
            Act::AgentPins(n) => {
                let Some(id) = self.any(n) else { return };
                let version = self.world.entry(id).await.version;
                let patch = MemoryPatch { pinned: Some(true), ..MemoryPatch::default() };
                assert!(
                    session.memories().edit(id, version, patch, agent()).await.is_err(),
                    "an agent pinned"
                );
            }
            Act::Talk(n) => self.conversation(n).await,
            Act::DaysPass(n) => {
                for _ in 0..=n {
                    self.world.clock.advance(Duration::days(3));
                    session.reload_decay(DecayConfig::BRISK, true).await.expect("decay loads");
                }
            }
            Act::Consolidate => {
                self.world.embed().await;
                let sink = Steps::all();
                let run = session
                    .consolidation()
                    .consolidate(RunTrigger::Idle, Interface::Task, &Extractive, &sink)
                    .await;
                assert_eq!(run.expect("a run").state, RunState::Done);
            }
            Act::RevertLastRun => {
                if let Ok(Some(run)) = session.workspace.runs.latest(TASK).await {
                    let _ = session.consolidation().revert_run(run.id, author()).await;
                }
            }
        }
    }

    async fn conversation(&mut self, n: u8) {
        let conversation = self.world.conversation().await;
        self.world.say(&conversation, Role::User, &format!("From now on {}", text(n))).await;
        let place = Place::Conversation(conversation.channel_id, conversation.id);
        let mine = self.world.write(place, "Mine, in this talk.").await;
        self.everything.push(mine);
        self.protect(mine).await;
        let session = &self.world.session;
        let noted = session.memories().create(draft(place, text(n)), agent()).await.expect("noted");
        self.everything.push(noted.id());
        session.conversations().set_idle(conversation.id).await.expect("ended");
        let helpers = Helpers { summariser: &Extractive, model: None };
        session.extraction().pending(&helpers, RunTrigger::Closed, Interface::Task).await.expect("worked up");
    }

    async fn check(&self) {
        for (id, was) in &self.protected {
            let now = self.world.entry(*id).await;
            assert!(now.is_active(), "hidden: {was:?}");
            assert!(now.same_body(was), "changed: {was:?} -> {now:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_sequence_of_acts_changes_or_hides_entries_of_the_author_named_or_pinned_entries(
        acts in proptest::collection::vec(act(), 1..30)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut tried = Tried::new().await;
            for act in acts {
                tried.act(act).await;
                tried.check().await;
            }
            // And what was forgotten comes back.
            for id in tried.everything.clone() {
                if !tried.world.entry(id).await.is_active() {
                    tried.world.session.memories().restore(&[id], author()).await.expect("restored");
                }
            }
        });
    }
}
