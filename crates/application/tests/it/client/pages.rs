//! Every tool by which a client could learn of the pages of linked vaults, with and without the right to read them.

use inklings_application::{testing::pages::link_pages, tools::TOOLS, vault::reading::PagePart};
use inklings_domain::{
    client::Sight,
    ids::PageId,
    lens::Lens,
    memory::{MemoryDraft, MemoryEntry},
};

use super::*;

/// What the page says. A text of a client may hold these words, but not the title of the page and not its heading.
const SENTENCE: &str = "The salt tax was raised by Edda in the year of the flood.";
const MADE_OF_IT: &str = "In the year of the flood, Edda raised the salt tax and kept it.";
const TITLE: &str = "Merkheim";
const HEADING: &str = "Altzeit";

/// The ways by which a client could be shown something of a page, each with its tool.
const WAYS: [(&str, &str); 12] = [
    ("orient", "the layer of pages, and what memories were made of"),
    ("memory_search", "the page"),
    ("memory_search", "what a memory was made of"),
    ("memory_get", "the page"),
    ("memory_get", "what a memory was made of"),
    ("memory_put", "a text of the page"),
    ("memory_put", "a text of the page, for the account"),
    ("memory_put", "a text that names the page as its source"),
    ("memory_update", "a text of the page"),
    ("memory_update", "a text that names the page as its source"),
    ("proposal_create", "a text of the page for an entry"),
    ("proposal_create", "a text of the page that merges entries"),
];

/// Tools whose answers hold nothing of memories: an id, a fact, a message, a note, a count.
const WITHOUT_MEMORIES: [&str; 7] =
    ["memory_forget", "fact", "conversation", "scratchpad", "memory_switch", "scrub", "agent_telemetry"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Right {
    Granted,
    NotGranted,
    /// Granted, to a client that reads through a lens.
    Lens,
}

struct Stage {
    /// Holds the folder of the world.
    _setup: Setup,
    client: ClientSession,
    page: PageId,
    /// An entry of the agent that was made of the page.
    made: MemoryId,
    /// Two entries that have nothing to do with it.
    others: [MemoryId; 2],
}

async fn stage(right: Right) -> Stage {
    let (setup, client, _) = setup().await;
    let session = &setup.world.session;
    let text = format!("A town.\n\n# {HEADING}\n\n{SENTENCE}\n");
    let page = link_pages(session, "Notes", &[(&format!("{TITLE}.md"), &text)]).await[0];
    let claim = [format!("page:{page}")];
    let derivations = session.derivations().named(MADE_OF_IT, &claim).await.expect("held");
    let made = MemoryDraft { derivations, ..draft(Place::Workspace, MADE_OF_IT) };
    let made = setup.world.remember(made, agent()).await;
    let mut others = [made; 2];
    for (id, text) in others.iter_mut().zip(["The mill is old.", "A bridge leads over the river."]) {
        *id = setup.world.remember(draft(Place::Workspace, text), agent()).await;
    }
    setup.world.embed().await;
    let knower = session.subjects().add("Toma", "character", "", author()).await.expect("a subject").id();
    grant(&setup, &client, |grants| {
        (grants.tiers.workspace, grants.tiers.account) = (ALL, ALL);
        grants.capabilities.insert(Capability::Propose);
        if right != Right::NotGranted {
            grants.capabilities.insert(Capability::ReadPages);
        }
        if right == Right::Lens {
            grants.sight = Sight::of(Lens { knower: Some(knower), at: None });
        }
    })
    .await;
    Stage { _setup: setup, client, page, made, others }
}

/// An error with the passage that the server shows with it.
fn refused(error: &AppError) -> String {
    let passage = match error {
        AppError::Guard(refusal) => refusal.passage().map(Passage::shown),
        _ => None,
    };
    format!("{error} {}", passage.unwrap_or_default())
}

impl Stage {
    async fn noted(&self, entry: MemoryEntry) -> String {
        let noted = self.client.noted_one(entry).await.expect("read");
        noted.made_of.unwrap_or_default()
    }

    async fn written(&self, remembered: Result<Remembered, AppError>) -> String {
        match remembered {
            Ok(Remembered::Written(written)) => self.noted(written.stored.entry).await,
            Ok(Remembered::Proposed(_)) => String::new(),
            Err(error) => refused(&error),
        }
    }

    async fn found(&self) -> Vec<FoundNote> {
        self.client.search(Within::default(), "who raised the salt tax", 10).await.expect("read")
    }

    /// Everything that a client is shown by a way.
    async fn shown(&self, way: (&str, &str)) -> String {
        let sources = vec![format!("page:{}", self.page)];
        match way {
            ("orient", _) => {
                self.client.orient("who raised the salt tax", None, None).await.expect("oriented").markdown
            }
            ("memory_search", "the page") => {
                let found = self.found().await;
                let pages = found.iter().filter(|note| note.memory().is_none());
                format!("{:?}", pages.collect::<Vec<_>>())
            }
            ("memory_search", _) => {
                let found = self.found().await;
                found.iter().filter_map(|note| note.memory()?.made_of.clone()).collect()
            }
            ("memory_get", "the page") => match self.client.page(self.page, PagePart::default()).await {
                Ok(read) => format!("{read:?}"),
                Err(error) => refused(&error),
            },
            ("memory_get", _) => match self.client.entry_with_links(self.made).await {
                Ok(found) => self.noted(found.entry).await,
                Err(error) => refused(&error),
            },
            ("memory_put", of) => {
                let tier =
                    if of.ends_with("account") { MemoryScope::Account } else { MemoryScope::Workspace };
                let note = match of {
                    "a text that names the page as its source" => NewNote {
                        sources,
                        ..note("Edda raised the salt tax in the year of the flood, alone.")
                    },
                    _ => note(SENTENCE),
                };
                self.written(self.client.put(at(tier), note).await).await
            }
            ("memory_update", "a text of the page") => {
                self.written(self.client.update(self.others[0], None, patch(SENTENCE), &[]).await).await
            }
            ("memory_update", _) => {
                let text = patch("Edda raised the salt tax in the year of the flood, alone.");
                self.written(self.client.update(self.others[0], None, text, &sources).await).await
            }
            ("proposal_create", of) => {
                let (kind, ids) = match of {
                    "a text of the page for an entry" => (ProposalKind::Edit, &self.others[..1]),
                    _ => (ProposalKind::Merge, &self.others[..]),
                };
                match self.client.propose(kind, ids, Some(SENTENCE.to_owned()), "better").await {
                    Ok(_) => String::new(),
                    Err(error) => refused(&error),
                }
            }
            _ => panic!("how {way:?} is tried is not known here"),
        }
    }
}

#[tokio::test]
async fn no_tool_shows_a_client_anything_of_a_page_without_the_right_to_read_pages() {
    let mut wrong = Vec::new();
    for way in WAYS {
        for right in [Right::Granted, Right::NotGranted, Right::Lens] {
            let stage = stage(right).await;
            let shown = stage.shown(way).await;
            let is_of_page = shown.contains(TITLE) || shown.contains(HEADING);
            if is_of_page != (right == Right::Granted) {
                wrong.push((way, right, shown));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_tool_is_tried_for_what_it_shows_of_pages() {
    for tool in TOOLS {
        let is_tried = WAYS.iter().any(|(name, _)| *name == tool.name);
        let is_without = WITHOUT_MEMORIES.contains(&tool.name);
        assert!(is_tried != is_without, "{}: add it to one of the two lists", tool.name);
    }
}
