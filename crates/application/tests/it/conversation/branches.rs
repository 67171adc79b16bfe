//! Branches: conversations that share the beginning of another one.

use inklings_application::{
    conversation::{episodes::EpisodeRule, settings::ConversationSettings, summarise::Extractive},
    error::AppError,
    orientation::OrientRequest,
    scrub::{Operator, ScrubRequest},
    search::messages::MessageSearch,
    testing::world::everything,
};
use inklings_domain::{
    client::{Grants, TierGrant},
    conversation::{BranchError, Conversation, message::Role},
    memory::filter::Sort,
    scrub::{ScrubMode, ScrubTarget},
    search::query::QueryText,
};
use inklings_ports::{
    conversation::transcript_store::MessageRange, search::transcript_store::TranscriptFilter,
    testing::builders::author,
};

use super::{World, window};

/// A conversation of so many turns, each of a question and an answer.
async fn conversation_of(world: &World, turns: usize) -> Conversation {
    let conversation = world.conversation().await;
    for n in 1..=turns {
        world.say(&conversation, Role::User, &format!("What of gate {n}, which Mira keeps?")).await;
        world.say(&conversation, Role::Assistant, &format!("Gate {n} is of iron.")).await;
    }
    conversation
}

/// The texts of a whole transcript, read in pages of this size.
async fn texts(world: &World, conversation: &Conversation, limit: usize) -> Vec<String> {
    let (mut texts, mut position) = (Vec::new(), 0);
    loop {
        let range = MessageRange::After(position);
        let page = world.session.transcripts().whole_page(conversation.id, range, limit).await.expect("read");
        let Some(last) = page.messages.last() else { return texts };
        position = last.position;
        texts.extend(page.messages.iter().map(|message| message.body.content.clone()));
        if !page.later {
            return texts;
        }
    }
}

async fn replayed(world: &World, conversation: &Conversation) -> Vec<String> {
    let found = world.session.contexts().replayed(conversation.id).await.expect("replayed");
    found.into_iter().map(|message| message.body.content).collect()
}

fn request(conversation: &Conversation) -> OrientRequest<'_> {
    OrientRequest { conversation: Some(conversation), ..OrientRequest::default() }
}

async fn branch(world: &World, of: &Conversation, at: u64) -> Conversation {
    world.session.conversations().branch(of.id, at).await.expect("a branch")
}

async fn purge(world: &World, conversation: &Conversation) {
    let (target, mode) = (ScrubTarget::Purge(conversation.id), ScrubMode::Full);
    let hash = world.session.scrubs().preview(&target, mode).await.expect("a manifest").hash;
    let request = ScrubRequest { target, mode, hash, phrase: "purge conversation".to_owned() };
    world.session.scrubs().execute(&request, &Operator::author(author())).await.expect("purged");
}

#[tokio::test]
async fn a_branch_reads_the_messages_before_it_and_the_original_stays_as_it_is() {
    let world = World::new().await;
    let original = conversation_of(&world, 3).await;
    let whole = texts(&world, &original, 50).await;
    let first = branch(&world, &original, 5).await;
    assert_eq!((first.continues, first.shares_through), (Some(original.id), Some(4)));
    world.say(&first, Role::User, "And the northern gate?").await;
    let mut expected = whole[..4].to_vec();
    expected.push("And the northern gate?".to_owned());
    for limit in [1, 2, 3, 4, 5, 50] {
        assert_eq!(texts(&world, &first, limit).await, expected, "{limit}");
    }
    assert_eq!(replayed(&world, &first).await, expected);
    assert_eq!(texts(&world, &original, 50).await, whole);
    assert!(world.session.conversations().by_id(original.id).await.expect("there").takes_messages().is_ok());

    // A branch of the branch, before a message that it shares itself, shares no more than that.
    let second = branch(&world, &first, 3).await;
    world.say(&second, Role::User, "Who else?").await;
    assert_eq!(
        texts(&world, &second, 1).await,
        [&whole[0], &whole[1], &"Who else?".to_owned()].map(String::clone)
    );
    let of_original = world.session.conversations().branches(original.id).await.expect("read");
    assert_eq!(of_original.iter().map(|branch| branch.id).collect::<Vec<_>>(), [first.id, second.id]);
    world.session.conversations().delete(first.id, author()).await.expect("deleted");
    let of_original = world.session.conversations().branches(original.id).await.expect("read");
    assert_eq!(of_original.iter().map(|branch| branch.id).collect::<Vec<_>>(), [second.id]);
}

#[tokio::test]
async fn a_page_before_a_position_goes_on_in_the_part_that_is_shared() {
    let world = World::new().await;
    let original = conversation_of(&world, 3).await;
    let branch = branch(&world, &original, 5).await;
    world.say(&branch, Role::User, "And the northern gate?").await;
    let range = MessageRange::Before(5);
    let page = world.session.transcripts().whole_page(branch.id, range, 3).await.expect("read");
    let positions: Vec<u64> = page.messages.iter().map(|message| message.position).collect();
    assert_eq!((positions, page.earlier, page.later), (vec![2, 3, 4], true, true));
    let newest =
        world.session.transcripts().whole_page(branch.id, MessageRange::Newest, 2).await.expect("read");
    assert_eq!(newest.messages.iter().map(|message| message.position).collect::<Vec<_>>(), [4, 5]);
}

#[tokio::test]
async fn a_branch_begins_at_what_a_person_or_the_agent_wrote() {
    let world = World::new().await;
    let original = conversation_of(&world, 6).await;
    let compaction = world.session.compaction();
    compaction.compact(&original, Some(2), None, &Extractive, window()).await.expect("compacted");
    let conversations = world.session.conversations();
    let marker = conversations.branch(original.id, 13).await;
    assert!(matches!(marker, Err(AppError::Branch(BranchError::NotSaid))), "{marker:?}");
    for nowhere in [0, 14, u64::MAX] {
        let missing = conversations.branch(original.id, nowhere).await;
        assert!(matches!(missing, Err(AppError::NotFound { what: "message", .. })), "{nowhere}: {missing:?}");
    }
    assert_eq!(branch(&world, &original, 1).await.shares_through, Some(0));
}

#[tokio::test]
async fn nothing_that_a_branch_shares_is_found_or_worked_up_twice() {
    let world = World::new().await;
    let original = conversation_of(&world, 4).await;
    let branch = branch(&world, &original, 7).await;
    world.say(&branch, Role::User, "Which gate is of oak?").await;
    world.embed().await;
    let search = async |filter: TranscriptFilter| {
        let request = MessageSearch {
            query: QueryText::Typed("gate iron".to_owned()),
            filter,
            limit: 50,
            strategy: None,
            embedding: None,
        };
        let found = world.session.search().messages(request).await.expect("found");
        found.hits.into_iter().map(|hit| hit.message.id()).collect::<Vec<_>>()
    };
    let hits = search(TranscriptFilter::default()).await;
    let mut once = hits.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), hits.len());
    let own = search(TranscriptFilter { conversation: Some(branch.id), ..TranscriptFilter::default() }).await;
    assert!(own.len() <= 1, "what is shared is found where it stands");

    let rule = EpisodeRule { retain_last: 0, max_age_days: 0 };
    world.clock.tick();
    let episodes = world.session.episodes();
    let of_original = episodes.summarise_old_turns(original.id, rule, &Extractive).await.expect("made");
    assert_eq!(of_original.iter().map(|episode| episode.sources.len()).sum::<usize>(), 8);
    let of_branch = episodes.summarise_old_turns(branch.id, rule, &Extractive).await.expect("made");
    assert!(of_branch.is_empty(), "one message of its own is no episode");
}

#[tokio::test]
async fn a_branch_is_not_shown_an_episode_that_tells_of_what_followed() {
    let world = World::new().await;
    let original = conversation_of(&world, 4).await;
    let early = branch(&world, &original, 3).await;
    let late = branch(&world, &original, 8).await;
    world.say(&original, Role::User, "Thanks.").await;
    let rule = EpisodeRule { retain_last: 3, max_age_days: 0 };
    world.clock.tick();
    world.session.episodes().summarise_old_turns(original.id, rule, &Extractive).await.expect("made");
    let shown = async |conversation: &Conversation| {
        let view = world.session.turns().agent_view(conversation, Some("gate"), None).await.expect("a view");
        view.oriented.shown.episodes.len()
    };
    assert_eq!((shown(&early).await, shown(&late).await), (0, 1));
}

#[tokio::test]
async fn a_branch_begins_behind_an_archive_of_what_it_shares_alone() {
    let world = World::new().await;
    let original = conversation_of(&world, 5).await;
    let before = branch(&world, &original, 3).await;
    let behind = branch(&world, &original, 9).await;
    world
        .session
        .compaction()
        .compact(&original, Some(4), None, &Extractive, window())
        .await
        .expect("compacted");
    // The archive covers the first six messages.
    assert_eq!(replayed(&world, &behind).await.len(), 2);
    assert_eq!(replayed(&world, &before).await.len(), 2, "the archive would tell it of what followed");
}

#[tokio::test]
async fn messages_that_a_branch_shares_stay_where_summaries_replace_messages() {
    let world = World::new().await;
    let settings = ConversationSettings { keep_only_summaries: true, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("stored");
    let original = conversation_of(&world, 5).await;
    let branch = branch(&world, &original, 3).await;
    let shared = texts(&world, &branch, 50).await;
    world
        .session
        .compaction()
        .compact(&original, Some(2), None, &Extractive, window())
        .await
        .expect("compacted");
    assert_eq!(texts(&world, &branch, 50).await, shared);
    let left = world.session.transcripts().page(original.id, MessageRange::After(0), 50).await.expect("read");
    assert_eq!(left.messages.iter().map(|m| m.position).collect::<Vec<_>>(), [1, 2, 9, 10, 11]);
}

/// It is read through a branch that was deleted.
#[tokio::test]
async fn messages_that_a_branch_of_a_deleted_branch_shares_stay_where_summaries_replace_messages() {
    for compacted in [false, true] {
        let world = World::new().await;
        let settings = ConversationSettings { keep_only_summaries: true, ..ConversationSettings::default() };
        world.session.conversations().set_settings(settings).await.expect("stored");
        let original = conversation_of(&world, 5).await;
        let middle = branch(&world, &original, 9).await;
        let last = branch(&world, &middle, 5).await;
        world.say(&last, Role::User, "Who else?").await;
        let shared = texts(&world, &last, 50).await;
        assert_eq!(shared.len(), 5);
        world.session.conversations().delete(middle.id, author()).await.expect("deleted");
        let expected = if compacted {
            let compaction = world.session.compaction();
            compaction.compact(&original, Some(0), None, &Extractive, window()).await.expect("compacted");
            vec![1, 2, 3, 4, 11]
        } else {
            let rule = EpisodeRule { retain_last: 0, max_age_days: 0 };
            world.clock.tick();
            world.session.episodes().summarise_old_turns(original.id, rule, &Extractive).await.expect("made");
            vec![1, 2, 3, 4]
        };
        assert_eq!(texts(&world, &last, 50).await, shared, "{compacted}");
        let left =
            world.session.transcripts().page(original.id, MessageRange::After(0), 50).await.expect("read");
        let positions: Vec<_> = left.messages.iter().map(|message| message.position).collect();
        assert_eq!(positions, expected, "{compacted}");
    }
}

#[tokio::test]
async fn a_purge_of_the_original_reaches_the_branch_with_its_archives_and_titles() {
    for deleted_before in [false, true] {
        for keep_only_summaries in [false, true] {
            archives_and_titles_go(deleted_before, keep_only_summaries).await;
        }
    }
}

async fn archives_and_titles_go(deleted_before: bool, keep_only_summaries: bool) {
    let world = World::new().await;
    let settings = ConversationSettings { keep_only_summaries, ..ConversationSettings::default() };
    world.session.conversations().set_settings(settings).await.expect("set");
    let original = conversation_of(&world, 4).await;
    let branch = branch(&world, &original, 7).await;
    for n in 0..3 {
        world.say(&branch, Role::User, &format!("What of tower {n}?")).await;
        world.say(&branch, Role::Assistant, &format!("Tower {n} leans.")).await;
    }
    let session = &world.session;
    session
        .compaction()
        .compact(&branch, Some(4), Some("Gates"), &Extractive, window())
        .await
        .expect("compacted");
    session
        .compaction()
        .compact(&branch, Some(0), Some("Towers"), &Extractive, window())
        .await
        .expect("compacted");
    let titled = session.conversations().resume(branch.id).await.expect("continued");
    assert!(titled.title.contains("Mira"));
    if deleted_before {
        session.conversations().delete(original.id, author()).await.expect("deleted");
    }
    purge(&world, &original).await;
    assert!(
        texts(&world, &branch, 50).await.iter().all(|text| !text.contains("gate") && !text.contains("Mira"))
    );
    assert_eq!(session.conversations().by_id(titled.id).await.expect("there").title, "");
    let names = session.memories().every(&everything(), Sort::CreatedAsc).await.expect("read");
    let names: Vec<_> = names.into_iter().filter_map(|entry| entry.name).collect();
    assert!(
        !names.iter().any(|name| name == "Gates") && names.iter().any(|name| name == "Towers"),
        "{names:?}"
    );
}

async fn compacted(world: &World, branch: &Conversation, name: &str) {
    let compaction = world.session.compaction();
    let made = compaction.compact(branch, Some(0), Some(name), &Extractive, window()).await;
    assert!(made.expect("compacted").is_some(), "{name}");
}

async fn archive_names(world: &World) -> Vec<String> {
    let all = world.session.memories().every(&everything(), Sort::CreatedAsc).await.expect("read");
    all.into_iter().filter_map(|entry| entry.name).collect()
}

/// An archive of more messages than it names is told by positions.
#[tokio::test]
async fn a_purge_of_the_original_destroys_long_archives_only_if_they_cover_what_was_shared() {
    let world = World::new().await;
    let original = conversation_of(&world, 2).await;
    let (first, second) = (branch(&world, &original, 3).await, branch(&world, &original, 3).await);
    world.say(&first, Role::User, "What of tower 0?").await;
    compacted(&world, &first, "Gates and a tower").await;
    for of in [&first, &second] {
        for n in 1..=130 {
            world.say(of, Role::User, &format!("What of tower {n}?")).await;
            world.say(of, Role::Assistant, &format!("Tower {n} leans.")).await;
        }
    }
    compacted(&world, &first, "Towers").await;
    compacted(&world, &second, "Gates and towers").await;
    purge(&world, &original).await;
    assert_eq!(archive_names(&world).await, ["Towers"]);
}

/// What a forgotten archive covered is covered by the next one.
#[tokio::test]
async fn a_purge_of_a_deleted_original_destroys_the_archive_that_stands_for_a_forgotten_one() {
    for restored in [false, true] {
        let world = World::new().await;
        let original = conversation_of(&world, 2).await;
        let branch = branch(&world, &original, 3).await;
        world.say(&branch, Role::User, "What of tower 0?").await;
        compacted(&world, &branch, "Gates").await;
        let memories = world.session.memories();
        let all = memories.every(&everything(), Sort::CreatedAsc).await.expect("read");
        let gates = all.into_iter().find(|entry| entry.name.as_deref() == Some("Gates")).expect("there").id;
        world.clock.tick();
        memories.forget(&[gates], "It is wrong.", author()).await.expect("forgotten");
        world.say(&branch, Role::Assistant, "Tower 0 leans.").await;
        compacted(&world, &branch, "Gates and a tower").await;
        if restored {
            memories.restore(&[gates], author()).await.expect("restored");
        }
        world.session.conversations().delete(original.id, author()).await.expect("deleted");
        purge(&world, &original).await;
        assert_eq!(archive_names(&world).await, Vec::<String>::new(), "{restored}");
    }
}

#[tokio::test]
async fn a_purge_or_deletion_of_the_original_destroys_the_queries_of_a_branch_that_quote_it() {
    for purged in [true, false] {
        quotes_go(purged).await;
    }
}

async fn quotes_go(purged: bool) {
    let world = World::new().await;
    let original = conversation_of(&world, 3).await;
    let branch = branch(&world, &original, 5).await;
    let orient = async || {
        let oriented = world.session.orientations().orient(request(&branch)).await.expect("oriented");
        world.session.orientations().record(&oriented, None).await;
        oriented.orientation.query
    };
    let shared = orient().await;
    world.say(&branch, Role::User, "Why?").await;
    let goes_on = orient().await;
    world.say(&branch, Role::User, "Which towers of the harbour lean?").await;
    let own = orient().await;
    let quotes = |query: &str| query.contains("gate") || query.contains("Mira");
    assert!(quotes(&shared) && quotes(&goes_on) && !quotes(&own), "{shared} / {goes_on} / {own}");
    if purged {
        purge(&world, &original).await;
    } else {
        world.session.conversations().delete(original.id, author()).await.expect("deleted");
    }
    let (kept, _) = world.session.orientations().list(branch.id, None, 10).await.expect("a page");
    assert_eq!(kept.iter().map(|orientation| orientation.query.as_str()).collect::<Vec<_>>(), [own]);
}

#[tokio::test]
async fn a_grant_for_a_branch_is_none_for_what_it_shares() {
    let world = World::new().await;
    let original = conversation_of(&world, 3).await;
    let branch = branch(&world, &original, 5).await;
    world.say(&branch, Role::User, "And the northern gate?").await;
    let mut grants = Grants::NOTHING;
    grants.tiers.conversation = TierGrant { read: true, write: false };
    grants.conversations.insert(branch.id);
    let shown = async |grants: &Grants| {
        let request =
            OrientRequest { conversation: Some(&branch), within: Some(grants), ..OrientRequest::default() };
        let oriented = world.session.orientations().orient(request).await.expect("oriented");
        oriented.shown.items.iter().map(|item| item.message.conversation).collect::<Vec<_>>()
    };
    assert_eq!(shown(&grants).await, [branch.id]);
    let own = world.session.transcripts().page(branch.id, MessageRange::Newest, 50).await.expect("read");
    assert_eq!(own.messages.len(), 1, "clients and the tool of the World Agent read this page");
    grants.conversations.insert(original.id);
    assert_eq!(shown(&grants).await.len(), 5);
    world.say(&branch, Role::User, "Why?").await;
    grants.conversations.remove(&original.id);
    let query = async |grants: &Grants| {
        let request =
            OrientRequest { conversation: Some(&branch), within: Some(grants), ..OrientRequest::default() };
        world.session.orientations().orient(request).await.expect("oriented").orientation.query
    };
    assert_eq!(query(&grants).await, "Why?\nAnd the northern gate?");
}

#[tokio::test]
async fn what_a_branch_shares_from_while_memory_was_off_stays_off_the_record() {
    let world = World::new().await;
    let original = world.conversation().await;
    world.session.switch().set_enabled(false).await.expect("off");
    world.say(&original, Role::User, "The queen is dead.").await;
    world.say(&original, Role::Assistant, "I see.").await;
    world.session.switch().set_enabled(true).await.expect("on");
    let branch = branch(&world, &original, 2).await;
    for n in 0..2 {
        world.say(&branch, Role::Assistant, &format!("Then answer {n} is another one.")).await;
        world.say(&branch, Role::User, &format!("And who guards gate {n}?")).await;
    }
    let compaction = world.session.compaction();
    let plan = compaction.preview(&branch, Some(0), &Extractive).await.expect("planned").expect("enough");
    assert!(!plan.summary.contains("queen"), "{}", plan.summary);
    assert_eq!(plan.derivations.len(), 4);
}
