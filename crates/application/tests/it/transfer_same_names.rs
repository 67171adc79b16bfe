//! An Inklings export in a world that has subjects of the same names under other ids.

use std::collections::BTreeSet;

use inklings_application::{
    subject::NewRelation,
    testing::laundering::File,
    transfer::{Conflicts, Imported, Outcome, Picks, Wanted},
};
use inklings_domain::{
    calendar::{moment::Moment, span::Span, story_point::StoryPoint},
    conversation::ConversationStatus,
    fact::Assertion,
    ids::MemoryId,
    lens::Lens,
    memory::{
        MemoryEntry,
        filter::{MemoryFilter, ScopeFilter, Sort},
        link::{Link, LinkRole},
    },
    provenance::Interface,
    scope::Place,
};
use inklings_ports::{
    conversation::store::ConversationFilter, progress::NoProgress, testing::builders::author,
    transfer::shape::OWN,
};

use crate::{
    support::World,
    transfer_conversations::{exported, rows_of},
};

/// Mira, Toma and a chapter of a world.
struct Named {
    world: World,
    mira: MemoryId,
    toma: MemoryId,
    chapter: MemoryId,
}

impl Named {
    async fn new(ids_used: usize) -> Self {
        let world = World::new().await;
        // Every test world counts its ids from the same number.
        for _ in 0..ids_used {
            world.session.ids.memory_id();
        }
        let subject = async |name, kind| {
            world.session.subjects().add(name, kind, "", author()).await.expect("a subject").id()
        };
        let (mira, toma) = (subject("Mira", "character").await, subject("Toma", "character").await);
        let chapter = subject("Chapter 1", "chapter").await;
        let calendars = world.session.calendars();
        calendars.set_story_time(chapter, 1, None, Some(1), author()).await.expect("a reading number");
        Self { world, mira, toma, chapter }
    }

    async fn version(&self, id: MemoryId) -> u64 {
        self.world.entry(id).await.version
    }

    /// Links of every kind to the subjects, a fact that only Mira knows and a conversation through her eyes.
    async fn with_links() -> Self {
        let made = Self::new(0).await;
        let (world, session) = (&made.world, &made.world.session);
        let relation = NewRelation {
            from: made.mira,
            relation: "sister of".to_owned(),
            to: made.toma,
            content: Some("They are sisters.".to_owned()),
            place: Place::Workspace,
        };
        session.subjects().relate(relation, author()).await.expect("related");
        let about = world.write(Place::Workspace, "She rows the night ferry.").await;
        let about_version = made.version(about).await;
        session.subjects().set_about(about, about_version, &[made.mira], author()).await.expect("set");
        let secret = world.write(Place::Workspace, "The key is lost.").await;
        let since = Some(StoryPoint::Chapter(made.chapter));
        let knows = |id| (id, since);
        let version = made.version(secret).await;
        session.lenses().set_known_by(secret, version, &[knows(made.toma)], author()).await.expect("set");
        let version = made.version(secret).await;
        session.lenses().set_known_by(secret, version, &[knows(made.mira)], author()).await.expect("set");
        let fact = Assertion::new("secret", "key", "iron", None).expect("valid");
        let fact = session.facts().assert(fact, author()).await.expect("set").fact.fact.id;
        session.facts().set_known_by(fact, &[(made.mira, None)], author()).await.expect("set");
        let begun = world.conversation().await;
        let lens = Lens { knower: Some(made.mira), at: since };
        session.conversations().set_lens(begun.id, lens).await.expect("set");
        made
    }

    async fn bring(&self, from: &Self, conflicts: Conflicts) -> Imported {
        let file = File(OWN, rows_of(&exported(&from.world).await));
        let wanted = Wanted {
            conflicts,
            interface: Interface::Cli,
            place: Place::Workspace,
            picks: Picks::ALL,
            whole: BTreeSet::new(),
        };
        let transfers = self.world.session.transfers();
        let plan = transfers.preview(&file, wanted.clone(), &NoProgress).await.expect("a plan");
        let done = transfers.import(&file, wanted, &plan.hash, &NoProgress).await.expect("imported");
        assert_eq!(done.plan, plan, "what was shown is what was done");
        done
    }

    async fn one(&self, text: &str) -> MemoryEntry {
        let filter = MemoryFilter::active(ScopeFilter::EVERYTHING);
        let all = self.world.session.memories().every(&filter, Sort::CreatedAsc).await.expect("a list");
        all.into_iter().find(|entry| entry.content == text).expect("an entry with the text")
    }
}

#[tokio::test]
async fn what_a_file_says_of_a_subject_leads_to_the_one_of_its_name_that_is_here() {
    let theirs = Named::with_links().await;
    for conflicts in [Conflicts::Newer, Conflicts::Mine, Conflicts::Both] {
        let here = Named::new(500).await;
        let session = &here.world.session;
        here.bring(&theirs, conflicts).await;
        let since = Some(StoryPoint::Chapter(here.chapter));

        let graph = session.subjects().graph(&ScopeFilter::EVERYTHING).await.expect("a graph");
        let ends: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(ends, [(here.mira, here.toma)], "{conflicts:?}");
        let about = here.one("She rows the night ferry.").await.links;
        assert_eq!(about, [Link::new(LinkRole::About, here.mira)], "{conflicts:?}");
        let secret = here.one("The key is lost.").await;
        assert_eq!(secret.links, [Link::known_by(here.mira, since)], "{conflicts:?}");
        let earlier = session.memories().history(secret.id).await.expect("a history");
        let earlier: Vec<_> = earlier.iter().flat_map(|item| item.entry.links.clone()).collect();
        assert!(earlier.contains(&Link::known_by(here.toma, since)), "{conflicts:?}: {earlier:?}");

        let facts = session.facts().list(None, None, 9).await.expect("facts").rows;
        assert_eq!(facts[0].fact.known_by, [Link::known_by(here.mira, None)], "{conflicts:?}");
        let filter = ConversationFilter { statuses: ConversationStatus::ALL.to_vec(), ..Default::default() };
        let conversations = session.conversations().list(&filter, None, 9).await.expect("a list").rows;
        let lens = conversations[0].conversation.lens;
        assert_eq!(lens, Lens { knower: Some(here.mira), at: since }, "{conflicts:?}");
        session.lenses().resolve(lens).await.expect("its knower is here");

        let again = here.bring(&theirs, conflicts).await;
        assert_eq!((again.plan.total(Outcome::Add), again.plan.total(Outcome::Change)), (0, 0));
    }
}

#[tokio::test]
async fn an_entry_of_the_same_name_is_the_same_only_if_no_field_differs_and_takes_them_all() {
    let theirs = Named::new(0).await;
    theirs.world.clock.tick();
    let (named, version) = (theirs.world.session.named_entries(), theirs.version(theirs.mira).await);
    named.set_aliases(theirs.mira, version, "Mimi", false, author()).await.expect("an alias");
    let day = |n| Moment::on_day(n).expect("in range");
    let span = Span::new(Some(day(3)), None).expect("in order");
    let (calendars, version) = (theirs.world.session.calendars(), theirs.version(theirs.mira).await);
    calendars.set_story_time(theirs.mira, version, Some(span), None, author()).await.expect("dated");

    let here = Named::new(500).await;
    for _ in 0..9 {
        here.world.clock.tick();
    }
    let kept = here.bring(&theirs, Conflicts::Mine).await.plan;
    let reasons: Vec<_> = kept.items.iter().map(|item| (item.label.as_str(), item.reason.as_str())).collect();
    assert!(reasons.contains(&("Mira", "yours of this name is kept")), "{reasons:?}");
    assert!(reasons.contains(&("Toma", "an entry of this name is here already, just so")), "{reasons:?}");
    let done = here.bring(&theirs, Conflicts::Newer).await;
    assert_eq!(done.plan.total(Outcome::Change), 1, "{:?}", done.plan.items);
    let mira = here.world.entry(here.mira).await;
    assert_eq!((mira.aliases, mira.span), (vec!["Mimi".to_owned()], span));
    assert_eq!(here.bring(&theirs, Conflicts::Newer).await.plan.total(Outcome::Change), 0);
}
