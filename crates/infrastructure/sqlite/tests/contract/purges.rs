//! What a purge of a conversation does to facts and proposals: what is from there goes, and what is from elsewhere stays.

use FactSource::{Agent, User};
use inklings_domain::{
    calendar::{moment::Moment, span::Span},
    fact::{Claim, Fact, FactSource, FactValue},
    ids::{ConversationId, FactId, MemoryId},
    memory::{link::Link, switch::MemorySwitch},
    proposal::{Proposal, ProposalKind, ProposalState},
    scope::Place,
    scrub::{ScrubMode, ScrubRows, ScrubTarget, fact_form, fingerprint_forms},
};
use inklings_ports::{
    clock::IdGenerator,
    fact::FactWithClaims,
    testing::builders::{author, draft},
};

use super::{
    CheckedFolder, CheckedStage, Stage,
    scrubs::{rows, scrub},
};

/// Where a value is from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum From {
    /// The conversation that is purged.
    Purged,
    /// Another conversation.
    Other,
    /// No conversation.
    Author,
}

fn conversation(stage: &Stage, from: From) -> Option<ConversationId> {
    match from {
        From::Purged => Some(stage.conversation.id),
        From::Other => Some(stage.side_conversation.id),
        From::Author => None,
    }
}

async fn put(stage: &Stage, fact: &Fact) {
    stage.workspace.facts.put_fact(fact, User, None).await.expect("the fact is written");
}

/// A fact with these values in turn; an empty one removes it.
async fn stated(stage: &Stage, key: &str, values: &[(&str, From)]) -> Fact {
    let mut fact = stage.scribe.fact("People", key, values[0].0, User);
    fact.conversation = conversation(stage, values[0].1);
    put(stage, &fact).await;
    for (value, from) in &values[1..] {
        let next = stage.scribe.next_value(&fact, value, User);
        let removed_at = value.is_empty().then_some(next.updated_at);
        fact = Fact { conversation: conversation(stage, *from), removed_at, ..next };
        put(stage, &fact).await;
    }
    fact
}

async fn read(stage: &Stage, id: FactId) -> Option<FactWithClaims> {
    stage.workspace.facts.fact_by_id(id).await.expect("facts are read")
}

async fn history(stage: &Stage, id: FactId) -> Vec<FactValue> {
    let mut values = stage.workspace.facts.fact_history(id).await.expect("history is read");
    values.reverse();
    values
}

async fn purge(stage: &Stage, id: ConversationId) -> u64 {
    let done = scrub(stage, stage.memory(), &ScrubTarget::Purge(id), ScrubMode::Full).await;
    rows(&done.manifest, ScrubRows::Facts)
}

async fn assert_sound(stage: &Stage) {
    let findings = stage.catalogue.check().await.expect("findings");
    let trouble: Vec<_> = findings.iter().filter(|finding| !finding.ok).collect();
    assert!(trouble.is_empty(), "{trouble:?}");
}

/// Values of a fact before a purge, and afterwards all of them in turn; an empty text has no value. No list: it is destroyed.
type Case = (&'static [(&'static str, From)], Option<&'static [&'static str]>);

const CASES: &[Case] = &[
    (&[("a smith", From::Author), ("a thief", From::Purged)], Some(&["a smith", "", "a smith"])),
    (
        &[("a smith", From::Author), ("a thief", From::Other), ("a queen", From::Purged)],
        Some(&["a smith", "a thief", "", "a thief"]),
    ),
    (
        &[("a smith", From::Author), ("a thief", From::Purged), ("a queen", From::Purged)],
        Some(&["a smith", "", "", "a smith"]),
    ),
    (&[("a thief", From::Purged), ("a smith", From::Author)], Some(&["", "a smith"])),
    (&[("a smith", From::Other)], Some(&["a smith"])),
    // Removed before it was stated there: removed again.
    (
        &[("a smith", From::Author), ("", From::Author), ("a thief", From::Purged)],
        Some(&["a smith", "", "", ""]),
    ),
    (&[("a smith", From::Author), ("a thief", From::Purged), ("", From::Author)], Some(&["a smith", "", ""])),
    (&[("a thief", From::Purged)], None),
    (&[("a thief", From::Purged), ("a queen", From::Purged)], None),
    (&[("a thief", From::Purged), ("", From::Author)], None),
];

/// Also if the conversation was deleted before.
#[tokio::test]
async fn a_purge_destroys_the_values_from_a_conversation_and_no_others() {
    for deleted in [false, true] {
        let folder = CheckedFolder::new();
        let stage = Stage::set(&folder).await;
        let mut facts = Vec::new();
        for (n, (values, _)) in CASES.iter().enumerate() {
            facts.push(stated(&stage, &format!("Number {n}"), values).await);
        }
        if deleted {
            let at = stage.scribe.clock.tick();
            let store = &stage.workspace.conversations;
            assert!(store.delete_conversation(stage.conversation.id, at).await.expect("it is deleted"));
        }
        purge(&stage, stage.conversation.id).await;
        for ((values, expected), before) in CASES.iter().zip(&facts) {
            let found = read(&stage, before.id).await.map(|found| found.fact);
            let Some(expected) = expected else {
                assert_eq!(found, None, "{values:?}");
                continue;
            };
            let found = found.expect("the fact stays");
            let all = history(&stage, before.id).await;
            let texts: Vec<&str> = all.iter().map(|value| value.value.as_str()).collect();
            assert_eq!(texts, *expected, "{values:?}");
            for (n, value) in all.iter().enumerate() {
                assert_eq!(value.version, n as u64 + 1, "{values:?}");
                assert_eq!(value.removed, value.value.is_empty(), "{values:?}");
                let until = all.get(n + 1).map(|next| next.from);
                assert_eq!(value.until, until, "{values:?}: the history has no gap");
            }
            assert_eq!(found.source, User, "{values:?}");
            assert_ne!(found.conversation, Some(stage.conversation.id), "{values:?}");
            assert_eq!(found.removed_at.is_some(), found.value.is_empty(), "{values:?}");
        }
        let known = async |value: &str| {
            let form = fact_form("People", "Number 0", value);
            stage.memory().scrub.was_scrubbed(&[form]).await.expect("an answer")
        };
        assert_eq!([known("a thief").await, known("a smith").await], [true, false]);
        assert_sound(&stage).await;
    }
}

#[tokio::test]
async fn purges_of_two_conversations_give_the_same_value_in_either_order() {
    for turned in [false, true] {
        let folder = CheckedFolder::new();
        let stage = Stage::set(&folder).await;
        let values = [("a smith", From::Author), ("a thief", From::Other), ("a queen", From::Purged)];
        let fact = stated(&stage, "Mira", &values).await;
        let mut order = [stage.conversation.id, stage.side_conversation.id];
        if turned {
            order.reverse();
        }
        for id in order {
            purge(&stage, id).await;
        }
        let found = read(&stage, fact.id).await.expect("the fact stays").fact;
        assert_eq!((found.value.as_str(), found.conversation), ("a smith", None), "{turned}");
        assert_sound(&stage).await;
    }
}

#[tokio::test]
async fn a_purge_takes_back_a_claim_that_was_accepted_and_keeps_the_claims_from_elsewhere() {
    let stage = CheckedStage::new().await;
    let known_by = vec![Link::known_by(MemoryId::from_uuid(stage.scribe.ids.uuid()), None)];
    let fact = Fact { known_by, ..stage.scribe.fact("People", "Mira", "a smith", User) };
    put(&stage, &fact).await;
    let claim = |value: &str, from| Claim {
        conversation: conversation(&stage, from),
        ..stage.scribe.claim(&fact, value)
    };
    let accepted = claim("a thief", From::Purged);
    let open = claim("a witch", From::Purged);
    let elsewhere = claim("a queen", From::Other);
    for claim in [&accepted, &open, &elsewhere] {
        stage.workspace.facts.add_claim(claim).await.expect("the claim is stored");
    }
    let next = stage.scribe.next_value(&fact, "a thief", User);
    let next = Fact { conversation: accepted.conversation, ..next };
    stage.workspace.facts.put_fact(&next, User, Some(accepted.id)).await.expect("the claim is accepted");
    assert_eq!(purge(&stage, stage.conversation.id).await, 3, "a value and two claims");
    let found = read(&stage, fact.id).await.expect("the fact stays");
    assert_eq!(found.claims, [elsewhere]);
    let updated_at = found.fact.updated_at;
    assert_eq!(found.fact, Fact { version: 3, updated_at, ..fact });
    assert_sound(&stage).await;
}

/// In whatever order the facts come; what holds at that time from elsewhere stays.
#[tokio::test]
async fn a_purge_gives_facts_their_earlier_times_unless_another_fact_holds_then() {
    let stage = CheckedStage::new().await;
    let day = |day| Moment::on_day(day).expect("in range");
    let until = |last| Span::new(None, Some(day(last))).expect("not inverted");
    let from = |first| Span::new(Some(day(first)), None).expect("not inverted");
    for (key, shorter) in [("ruler", true), ("river", false), ("gate", true)] {
        let fact = |value: &str, span| Fact { span, ..stage.scribe.fact("Ambry", key, value, Agent) };
        let (early, late) = (fact("Aldous", until(812)), fact("Bera", from(813)));
        put(&stage, &early).await;
        put(&stage, &late).await;
        let moved = |fact: &Fact, span| Fact {
            span,
            conversation: conversation(&stage, From::Purged),
            ..stage.scribe.next_value(fact, &fact.value, Agent)
        };
        let (early, late) = if shorter {
            (moved(&early, until(700)), moved(&late, from(701)))
        } else {
            (moved(&early, until(900)), moved(&late, from(901)))
        };
        for next in if shorter { [&early, &late] } else { [&late, &early] } {
            put(&stage, next).await;
        }
        if key == "gate" {
            // Between them, by now: the second begins later.
            let later = moved(&late, from(900));
            put(&stage, &later).await;
            let between = Span::new(Some(day(805)), Some(day(899))).expect("not inverted");
            put(&stage, &fact("Cord", between)).await;
        }
        purge(&stage, stage.conversation.id).await;
        let of_key = stage.workspace.facts.facts_of_key(&early.key).await.expect("facts are read");
        let holding = of_key.iter().filter(|found| found.fact.removed_at.is_none());
        let found: Vec<_> = holding.map(|found| (found.fact.value.as_str(), found.fact.span)).collect();
        match key {
            "gate" => {
                let between = Span::new(Some(day(805)), Some(day(899))).expect("not inverted");
                assert_eq!(found, [("Cord", between)]);
                assert!(of_key.iter().any(|known| known.fact.id == early.id), "it stays with its history");
            }
            _ => assert_eq!(found, [("Aldous", until(812)), ("Bera", from(813))], "{key}"),
        }
    }
    assert_sound(&stage).await;
}

/// Neither a fact that is from there alone, nor a value or a claim.
#[tokio::test]
async fn a_purge_finds_the_facts_of_a_conversation_that_was_deleted_before() {
    let stage = CheckedStage::new().await;
    let alone = stated(&stage, "Oskar", &[("a baker", From::Purged)]).await;
    let fact = stated(&stage, "Mira", &[("a thief", From::Purged), ("a smith", From::Author)]).await;
    let claim = Claim { conversation: Some(stage.conversation.id), ..stage.scribe.claim(&fact, "a queen") };
    stage.workspace.facts.add_claim(&claim).await.expect("the claim is stored");
    let at = stage.scribe.clock.tick();
    let store = &stage.workspace.conversations;
    store.delete_conversation(stage.conversation.id, at).await.expect("it is deleted");
    assert_eq!(purge(&stage, stage.conversation.id).await, 3);
    assert_eq!(read(&stage, alone.id).await, None);
    let found = read(&stage, fact.id).await.expect("the fact stays");
    assert_eq!((found.fact.value.as_str(), found.claims.len()), ("a smith", 0));
    assert_eq!(history(&stage, fact.id).await[0].value, "");
}

/// In any state; the entry that was made of one stays, and agents may go on working with its text.
#[tokio::test]
async fn a_purge_destroys_the_proposals_that_were_filed_in_the_conversation() {
    let stage = CheckedStage::new().await;
    let memory = stage.memory();
    let entry = stage.write_one(author(), draft(Place::Workspace, "The gate is of iron.")).await;
    let filed = async |proposal: Proposal, from| {
        let proposal = Proposal { conversation: conversation(&stage, from), ..proposal };
        assert!(memory.proposals.file(&proposal, MemorySwitch::On).await.expect("filed"));
        proposal
    };
    let edit = |text: &str| stage.scribe.proposal(ProposalKind::Edit, &[&entry], Some(text));
    let new = |text: &str| stage.scribe.proposal_of_new(draft(Place::Workspace, text));
    let open = filed(edit("The gate is of bronze, she said."), From::Purged).await;
    let rejected = filed(new("Mira pays the smith in salt."), From::Purged).await;
    let at = stage.scribe.clock.tick();
    memory.proposals.close(&[rejected.id], ProposalState::Rejected, at).await.expect("rejected");
    let accepted = filed(new("Toma pays the smith in eels."), From::Purged).await;
    let (change, made) = stage.scribe.acceptance(&accepted, "Toma pays the smith in eels.");
    memory.proposals.accept(accepted.id, &change).await.expect("accepted");
    let kept = [
        filed(edit("The gate is of tin."), From::Other).await,
        filed(new("Oskar pays the smith in gold."), From::Author).await,
    ];
    let target = ScrubTarget::Purge(stage.conversation.id);
    let done = scrub(&stage, memory, &target, ScrubMode::Full).await;
    assert_eq!(rows(&done.manifest, ScrubRows::Proposals), 3);
    let gone = memory.proposals.get(&[open.id, rejected.id, accepted.id]).await.expect("proposals");
    assert_eq!(gone, []);
    assert_eq!(memory.proposals.get(&kept.each_ref().map(|it| it.id)).await.expect("proposals").len(), 2);
    for id in [entry.id, made.id] {
        stage.read(id).await;
    }
    for (text, known) in [("Mira pays the smith in salt.", true), ("Toma pays the smith in eels.", false)] {
        let found = memory.scrub.was_scrubbed(&fingerprint_forms(text)).await.expect("an answer");
        assert_eq!(found, known, "{text}");
    }
    assert_sound(&stage).await;
}
