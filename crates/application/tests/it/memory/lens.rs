//! The lens holds at every read: nothing that it withholds, and everything else. Its rule for one entry is that of the store.

use std::collections::BTreeSet;

use inklings_application::{search::Search, testing::places::Places};
use inklings_domain::{
    calendar::{Calendar, moment::Moment, preset::gregorian, span::Span, story_point::StoryPoint},
    ids::MemoryId,
    lens::{AUDIENCE, Lens, Withheld},
    memory::{
        MemoryDraft, MemoryEntry, Origin,
        change_set::{Action, MemoryWrite},
        filter::{MemoryFilter, ScopeFilter, Sort},
    },
    orientation::{ItemId, LeftOut},
    scope::Place,
    search::{conversation_query::ConversationQuery, query::QueryText},
};
use inklings_ports::testing::builders::{agent, author, change, draft, imported};

use super::{
    World,
    scope_filter::{
        READS, READS_OF_NAMES, READS_OF_PAGES, READS_OF_STORY_TIME, READS_OF_SUBJECTS, one_page, seen,
        seen_of_pages, seen_of_story_time, seen_of_subjects,
    },
};

fn day(n: i64) -> Moment {
    Moment::on_day(n).expect("in range")
}

fn at_day(n: i64) -> StoryPoint {
    StoryPoint::Moment(day(n))
}

async fn subject(world: &World, name: &str, kind: &str) -> MemoryId {
    world.session.subjects().add(name, kind, "", author()).await.expect("a subject").id()
}

async fn known_by(world: &World, id: MemoryId, knowers: &[(MemoryId, Option<StoryPoint>)]) {
    let version = world.entry(id).await.version;
    world.session.lenses().set_known_by(id, version, knowers, author()).await.expect("set");
}

async fn dated(world: &World, id: MemoryId, span: Span, reading: Option<u32>) {
    let version = world.entry(id).await.version;
    let set = world.session.calendars().set_story_time(id, version, Some(span), reading, author()).await;
    set.expect("set");
}

async fn through(world: &World, lens: Lens) -> ScopeFilter {
    ScopeFilter::EVERYTHING.through(world.session.lenses().resolve(lens).await.expect("resolved"))
}

/// Subjects, chapters, memberships, and entries of every shape: known by some since some time, dated, lensed, names.
struct Shapes {
    knowers: Vec<MemoryId>,
    chapters: Vec<MemoryId>,
}

async fn shapes(world: &World) -> Shapes {
    let session = &world.session;
    let mira = subject(world, "Mira", "character").await;
    let toma = subject(world, "Toma", "character").await;
    let guild = subject(world, "Guild", "faction").await;
    let league = subject(world, "League", "faction").await;
    let reader = subject(world, "Reader", AUDIENCE).await;
    let mut chapters = Vec::new();
    let spans = [(1, Some((10, 12))), (2, Some((20, 22))), (3, Some((5, 6))), (4, None)];
    for (number, span) in spans {
        let id = subject(world, &format!("Chapter {number}"), "chapter").await;
        let span = span.map(|(from, until)| Span::new(Some(day(from)), Some(day(until))).expect("in order"));
        dated(world, id, span.unwrap_or(Span::ALWAYS), Some(number)).await;
        chapters.push(id);
    }
    for (from, to, span) in [
        (mira, guild, Span::new(Some(day(8)), Some(day(15))).expect("in order")),
        (guild, league, Span::new(Some(day(9)), None).expect("in order")),
        (toma, league, Span::ALWAYS),
    ] {
        let new = inklings_application::subject::NewRelation {
            from,
            relation: "Member of".to_owned(),
            to,
            content: None,
            place: Place::Workspace,
        };
        let made = session.subjects().relate(new, author()).await.expect("related").id();
        if span != Span::ALWAYS {
            dated(world, made, span, None).await;
        }
    }
    linked_to_withheld(world, mira, toma).await;
    let lensed = world.conversation().await;
    let lens = Lens { knower: Some(mira), at: Some(at_day(11)) };
    session.conversations().set_lens(lensed.id, lens).await.expect("set");
    let other = world.conversation().await;
    let places = [
        Place::Workspace,
        Place::Channel(lensed.channel_id),
        Place::Conversation(lensed.channel_id, lensed.id),
        Place::Conversation(other.channel_id, other.id),
    ];
    let since = [
        None,
        Some(at_day(4)),
        Some(at_day(11)),
        Some(at_day(18)),
        Some(StoryPoint::Chapter(chapters[1])),
        Some(StoryPoint::Chapter(chapters[2])),
        Some(StoryPoint::Chapter(chapters[3])),
    ];
    let mut n = 0;
    for place in places {
        for knower in [mira, toma, guild, league, reader] {
            for since in since {
                n += 1;
                let id = world.write(place, &format!("The {n}th ledger tells of salt and copper.")).await;
                known_by(world, id, &[(knower, since)]).await;
            }
        }
        for span in [Span::ALWAYS, Span::at(day(11)), Span::new(Some(day(19)), None).expect("in order")] {
            for actor in [author(), agent()] {
                n += 1;
                let id = world.remember(draft(place, &format!("Sheet {n} lists salt.")), actor).await;
                if span != Span::ALWAYS {
                    dated(world, id, span, None).await;
                }
            }
        }
        let origin = Origin {
            session: Some("chat 1".into()),
            external_id: Some(format!("x{n}")),
            ..Origin::default()
        };
        let utterance =
            MemoryDraft { origin: Some(origin), ..imported(place, "x", "Salt was said to be dear.") };
        world.remember(utterance, author()).await;
    }
    for (place, name) in [
        (Place::Workspace, "VOICE"),
        (Place::Workspace, "STYLE"),
        (Place::Account, "SOUL"),
        (Place::Account, "HABITS"),
    ] {
        let stamp = session.stamp(author());
        let entry =
            MemoryEntry::named(session.ids.memory_id(), place, name, "Salt, dryly.", stamp).expect("named");
        let ports = session.ports(place.scope());
        ports.store.commit(&change(stamp, Action::Create, [MemoryWrite::Insert(entry)])).await.expect("kept");
    }
    world.write(Place::Account, "I like to write of salt at night.").await;
    for conversation in [&lensed, &other] {
        world.say(conversation, inklings_domain::conversation::message::Role::User, "Salt is dear.").await;
    }
    Shapes { knowers: vec![mira, toma, guild, reader], chapters }
}

/// Subjects that not everybody knows of, or that come later, with relations and notes, some of which have knowers of their own.
async fn linked_to_withheld(world: &World, mira: MemoryId, toma: MemoryId) {
    let hidden = subject(world, "Salt Ring", "faction").await;
    known_by(world, hidden, &[(mira, None)]).await;
    let itself = subject(world, "Salt Heir", "character").await;
    known_by(world, itself, &[(mira, Some(at_day(11)))]).await;
    let later = subject(world, "Salt War", "event").await;
    dated(world, later, Span::new(Some(day(19)), None).expect("in order"), None).await;
    for (from, to) in [(toma, hidden), (hidden, itself), (mira, later), (itself, later), (mira, toma)] {
        let new = inklings_application::subject::NewRelation {
            from,
            relation: "trades salt with".to_owned(),
            to,
            content: None,
            place: Place::Workspace,
        };
        world.session.subjects().relate(new, author()).await.expect("related");
    }
    let demoted = subject(world, "Salt Oath", "concept").await;
    known_by(world, demoted, &[(mira, None)]).await;
    for (n, about) in [hidden, itself, later, demoted].into_iter().enumerate() {
        for knower in [None, Some(toma)] {
            let id = world.write(Place::Workspace, &format!("Note {n} is about salt.")).await;
            let version = world.entry(id).await.version;
            world.session.subjects().set_about(id, version, &[about], author()).await.expect("linked");
            if let Some(knower) = knower {
                known_by(world, id, &[(knower, None)]).await;
            }
        }
    }
    demote(world, demoted).await;
}

/// Makes a subject a named entry without a kind.
async fn demote(world: &World, id: MemoryId) {
    let version = world.entry(id).await.version;
    world.session.subjects().set_kind(id, version, None, author()).await.expect("no subject any more");
}

#[tokio::test]
async fn a_relation_with_a_subject_that_is_withheld_tells_nobody_of_it() {
    let world = World::new().await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    let ring = subject(&world, "The Ring", "faction").await;
    let spy = subject(&world, "Odile", "character").await;
    for (from, to) in [(spy, ring), (mira, spy)] {
        let new = inklings_application::subject::NewRelation {
            from,
            relation: "member of".to_owned(),
            to,
            content: None,
            place: Place::Workspace,
        };
        world.session.subjects().relate(new, author()).await.expect("related");
    }
    for id in [ring, spy] {
        known_by(&world, id, &[(mira, None)]).await;
    }
    let texts = async |knower: MemoryId| -> Vec<String> {
        let filter = MemoryFilter::active(through(&world, Lens { knower: Some(knower), at: None }).await);
        let all = world.session.memories().every(&filter, Sort::CreatedAsc).await.expect("read");
        all.into_iter().filter(|entry| entry.relation.is_some()).map(|entry| entry.content).collect()
    };
    assert_eq!(texts(toma).await, Vec::<String>::new());
    // A member knows of the group, and of itself.
    for knower in [mira, spy] {
        assert_eq!(texts(knower).await, ["Odile member of The Ring.", "Mira member of Odile."]);
    }
}

#[tokio::test]
async fn what_is_linked_to_a_secret_that_is_no_subject_any_more_stays_withheld() {
    let world = World::new().await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    let court = subject(&world, "Night Court", "faction").await;
    known_by(&world, court, &[(mira, None)]).await;
    let note = world.write(Place::Workspace, "It meets under the salt gate.").await;
    let version = world.entry(note).await.version;
    world.session.subjects().set_about(note, version, &[court], author()).await.expect("linked");
    let lists = async |knower: MemoryId| -> bool {
        let filter = MemoryFilter::active(through(&world, Lens { knower: Some(knower), at: None }).await);
        let all = world.session.memories().every(&filter, Sort::CreatedAsc).await.expect("read");
        all.iter().any(|entry| entry.id == note)
    };
    assert_eq!((lists(mira).await, lists(toma).await), (true, false));
    demote(&world, court).await;
    assert_eq!((lists(mira).await, lists(toma).await), (true, false));
}

#[tokio::test]
async fn the_rule_of_the_store_is_the_rule_for_one_entry() {
    let world = World::new().await;
    let Shapes { knowers, chapters } = shapes(&world).await;
    world.embed().await;
    let everything = MemoryFilter::active(ScopeFilter::EVERYTHING);
    let all = world.session.memories().every(&everything, Sort::CreatedAsc).await.expect("read");
    let times = [
        None,
        Some(at_day(3)),
        Some(at_day(11)),
        Some(at_day(30)),
        Some(StoryPoint::Chapter(chapters[0])),
        Some(StoryPoint::Chapter(chapters[2])),
        Some(StoryPoint::Chapter(chapters[3])),
    ];
    let knowers = knowers.into_iter().map(Some).chain([None]);
    let (mut shown, mut withheld) = (0, 0);
    for knower in knowers {
        for at in times {
            let lens = Lens { knower, at };
            if lens.is_none() {
                continue;
            }
            let filter = through(&world, lens).await;
            let expected: BTreeSet<MemoryId> =
                all.iter().filter(|entry| filter.admits(entry)).map(|entry| entry.id).collect();
            shown += expected.len();
            withheld += all.len() - expected.len();
            let filter = MemoryFilter::active(filter);
            let listed = world.session.memories().every(&filter, Sort::CreatedAsc).await.expect("read");
            let listed: BTreeSet<MemoryId> = listed.into_iter().map(|entry| entry.id).collect();
            assert_eq!(listed, expected, "listed through {lens:?}");
            for query in ["salt", "what do the ledgers tell of copper"] {
                let search = Search::new(QueryText::Typed(query.to_owned()), filter.clone(), 200);
                let hits = world.session.search().memories(search).await.expect("an answer").hits;
                let found: Vec<MemoryId> = hits
                    .iter()
                    .flat_map(|hit| std::iter::once(hit.stored.entry.id).chain(hit.folded.iter().copied()))
                    .collect();
                assert!(found.iter().all(|id| expected.contains(id)), "{query} through {lens:?}");
                assert_eq!(found.is_empty(), expected.is_empty(), "{query} through {lens:?}");
            }
        }
    }
    assert!(shown > 500 && withheld > 500, "{shown} shown, {withheld} withheld");
}

#[tokio::test]
async fn every_read_withholds_what_the_knower_does_not_know_and_nothing_else() {
    let world = World::new().await;
    let places = Places::plant(&world.session).await;
    let calendars = world.session.calendars();
    calendars
        .add("Reckoning", Calendar::new(gregorian()).expect("valid"), "", author())
        .await
        .expect("added");
    let flood = subject(&world, "The Flood", "chapter").await;
    dated(&world, flood, Span::at(day(200)), Some(1)).await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    for planted in places.planted.iter().filter(|planted| planted.place != Place::Account) {
        dated(&world, planted.authors, Span::at(day(200)), None).await;
        for id in [planted.authors, planted.agents, planted.named].into_iter().chain(planted.relation) {
            known_by(&world, id, &[(mira, None)]).await;
        }
    }
    let quay =
        world.session.subjects().find("Vesper quay", &ScopeFilter::EVERYTHING).await.expect("there").id;
    let reckoning = calendars.find(None, &ScopeFilter::EVERYTHING).await.expect("there").entry.id;
    for id in [quay, reckoning, flood] {
        known_by(&world, id, &[(mira, None)]).await;
    }
    world.embed().await;
    let within: BTreeSet<&str> = places
        .planted
        .iter()
        .filter(|planted| matches!(planted.place, Place::Workspace | Place::Channel(_)))
        .map(|planted| planted.marker)
        .collect();
    let page = one_page(&world).await;
    for (knower, knows) in [(mira, true), (toma, false)] {
        let filter = through(&world, Lens { knower: Some(knower), at: None }).await;
        for read in READS_OF_PAGES {
            assert!(
                !seen_of_pages(&world, page, read, &filter).await,
                "{read}: nobody in the story knows a page"
            );
        }
        let nothing = BTreeSet::new();
        let expected = if knows { &within } else { &nothing };
        for read in READS {
            if let Some(seen) = seen(&world, &places, read, &MemoryFilter::active(filter.clone())).await {
                assert_eq!(&seen, expected, "{read}");
            }
        }
        for read in READS_OF_SUBJECTS {
            let (found, markers) = seen_of_subjects(&world, &places, read, &filter).await;
            assert_eq!(found, knows, "{read}");
            if matches!(read, "subjects.get" | "subjects.graph" | "subjects.neighbourhood") {
                assert_eq!(&markers, expected, "{read}");
            }
        }
        for read in READS_OF_STORY_TIME {
            let (found, markers) = seen_of_story_time(&world, &places, read, &filter).await;
            assert_eq!(found, knows, "{read}");
            assert!(markers.is_none_or(|markers| &markers == expected), "{read}");
        }
        for read in READS_OF_NAMES {
            assert_eq!(read, "subjects.suggestions");
            let found = world.session.subjects().suggestions(&filter).await.expect("an answer");
            assert!(knows || found.is_empty(), "{found:?}");
        }
    }
}

#[tokio::test]
async fn a_lens_on_a_subject_that_is_gone_shows_nothing_and_is_refused() {
    let world = World::new().await;
    let mira = subject(&world, "Mira", "character").await;
    let lens = Lens { knower: Some(mira), at: None };
    assert!(world.session.lenses().resolve(lens).await.expect("resolved").is_some());
    world.session.memories().forget(&[mira], "she left the story", author()).await.expect("forgotten");
    assert!(world.session.lenses().resolve(lens).await.is_err());
    let elsewhere = Lens { knower: Some(world.session.ids.memory_id()), at: None };
    assert!(world.session.lenses().resolve(elsewhere).await.is_err());
}

#[tokio::test]
async fn a_conversation_keeps_its_lens_after_the_first_message() {
    let world = World::new().await;
    let mira = subject(&world, "Mira", "character").await;
    let fresh = world.conversation().await;
    let lens = Lens { knower: Some(mira), at: None };
    let lensed = world.session.conversations().set_lens(fresh.id, lens).await.expect("set");
    assert_eq!(world.session.conversations().by_id(lensed.id).await.expect("there").lens, lensed.lens);
    world.say(&lensed, inklings_domain::conversation::message::Role::User, "Good evening.").await;
    assert!(world.session.conversations().set_lens(lensed.id, Lens::NONE).await.is_err());
    let next = world.session.conversations().resume(lensed.id).await.expect("goes on");
    assert_eq!(next.lens, lens);
}

#[tokio::test]
async fn the_ledger_shows_what_the_lens_withheld_and_why() {
    let world = World::new().await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    let secret = world.write(Place::Workspace, "The key to the salt gate lies under the third stair.").await;
    known_by(&world, secret, &[(mira, None)]).await;
    let later = world.write(Place::Workspace, "The salt gate falls in the flood.").await;
    dated(&world, later, Span::new(Some(day(50)), None).expect("in order"), None).await;
    world.embed().await;
    let lens = world
        .session
        .lenses()
        .resolve(Lens { knower: Some(toma), at: Some(at_day(10)) })
        .await
        .expect("resolved");
    let request = inklings_application::orientation::OrientRequest {
        query: ConversationQuery::Next("the salt gate".to_owned()),
        lens,
        ..Default::default()
    };
    let oriented = world.session.orientations().orient(request).await.expect("an orientation");
    assert!(!oriented.markdown.contains("stair") && !oriented.markdown.contains("flood"));
    let left_out = |id| {
        let of = |item: &&inklings_domain::orientation::LedgerItem| item.id == ItemId::Memory(id);
        oriented.orientation.items.iter().find(of).and_then(|item| item.left_out)
    };
    assert_eq!(left_out(secret), Some(LeftOut::Withheld(Withheld::Unknown)));
    assert_eq!(left_out(later), Some(LeftOut::Withheld(Withheld::NotThen)));
    // The lens of the conversation holds unless another one is asked for, or none.
    let conversation = world.conversation().await;
    let own = Lens { knower: Some(mira), at: None };
    let conversation = world.session.conversations().set_lens(conversation.id, own).await.expect("set");
    for without_lens in [false, true] {
        let request = inklings_application::orientation::OrientRequest {
            conversation: Some(&conversation),
            query: ConversationQuery::Next("the salt gate".to_owned()),
            without_lens,
            ..Default::default()
        };
        let oriented = world.session.orientations().orient(request).await.expect("an orientation");
        assert_eq!(oriented.orientation.lens.is_none(), without_lens);
        assert!([secret, later].into_iter().all(|id| oriented.took(ItemId::Memory(id))));
    }
    world.session.orientations().record(&oriented, None).await;
    let kept = world.session.orientations().get(oriented.orientation.id).await.expect("kept");
    assert_eq!(kept.lens, oriented.orientation.lens);
    assert_eq!(kept.items, oriented.orientation.items);
}

#[tokio::test]
async fn what_becomes_a_secret_is_not_found_by_the_next_search_through_the_same_lens() {
    let world = World::new().await;
    let (mira, toma) =
        (subject(&world, "Mira", "character").await, subject(&world, "Toma", "character").await);
    let key = world.write(Place::Workspace, "The key to the salt gate lies under the third stair.").await;
    world.write(Place::Workspace, "The harbour bells ring at noon.").await;
    world.embed().await;
    let filter = through(&world, Lens { knower: Some(toma), at: None }).await;
    let finds = async || {
        let search = Search::new(
            QueryText::Typed("where does the key to the gate lie".to_owned()),
            MemoryFilter::active(filter.clone()),
            50,
        );
        let hits = world.session.search().memories(search).await.expect("an answer").hits;
        hits.iter().any(|hit| hit.stored.entry.id == key)
    };
    assert!(finds().await && finds().await, "also with what is remembered of the lens");
    known_by(&world, key, &[(mira, None)]).await;
    assert!(!finds().await);
    known_by(&world, key, &[(mira, None), (toma, None)]).await;
    assert!(finds().await);
}

#[tokio::test]
async fn a_time_of_the_story_is_read_as_it_is_printed() {
    let world = World::new().await;
    let lenses = world.session.lenses();
    let end = StoryPoint::Moment(Moment::MAX);
    assert_eq!(lenses.point(&lenses.print_point(end).await.expect("printed")).await.expect("read"), end);
    let calendar = Calendar::new(gregorian()).expect("valid");
    world.session.calendars().add("Reckoning", calendar, "", author()).await.expect("added");
    let flood = subject(&world, "The Flood", "chapter").await;
    dated(&world, flood, Span::ALWAYS, Some(3)).await;
    for at in [end, StoryPoint::Chapter(flood), StoryPoint::Moment(day(300_000))] {
        let printed = lenses.print_point(at).await.expect("printed");
        assert_eq!(lenses.point(&printed).await.expect("read"), at, "{printed}");
    }
    assert_eq!(lenses.point("chapter 3").await.expect("read"), StoryPoint::Chapter(flood));
}

#[tokio::test]
async fn a_chapter_with_the_word_and_a_number_in_its_name_is_read_by_its_name() {
    let world = World::new().await;
    let lenses = world.session.lenses();
    for (name, number) in [("Prologue", 1), ("Chapter 1", 2), ("Chapter 2", 3), ("3", 4)] {
        let id = subject(&world, name, "chapter").await;
        dated(&world, id, Span::ALWAYS, Some(number)).await;
    }
    for stored in world.session.calendars().chapters(&ScopeFilter::EVERYTHING).await.expect("read") {
        let at = StoryPoint::Chapter(stored.entry.id);
        let printed = lenses.print_point(at).await.expect("printed");
        assert_eq!(lenses.point(&printed).await.expect("read"), at, "{printed}");
        assert_eq!(lenses.point(&stored.entry.id.to_string()).await.expect("read"), at);
    }
}

#[tokio::test]
async fn a_chapter_is_named_with_any_space_and_any_width_of_letters() {
    let world = World::new().await;
    let flood = subject(&world, "The Flood", "chapter").await;
    dated(&world, flood, Span::ALWAYS, Some(3)).await;
    for text in ["chapter\u{a0}3", "ｃｈａｐｔｅｒ ３"] {
        let read = world.session.lenses().point(text).await.expect("read");
        assert_eq!(read, StoryPoint::Chapter(flood), "{text}");
    }
}
