//! Search over memories, messages and pages in one order.

use clap::{Args, ValueEnum};
use inklings_api::{
    App,
    search::view::{DocumentHit, DocumentSearch, DocumentSearchRequest},
    vocabulary::DocumentKind,
};

use crate::{
    conversation,
    failure::Failure,
    memory,
    output::Output,
    shared_args::{Common, HitOptions, LensArgs},
    store, vault,
};

/// Search memories, messages and pages of linked vaults, by words and meaning, in one order
#[derive(Debug, Args)]
pub struct SearchDocuments {
    /// Search query: any text
    // A query may begin with a minus: `-word` excludes a word.
    #[arg(allow_hyphen_values = true)]
    pub query: String,
    /// What to search; may be repeated [default: all kinds]
    #[arg(long = "kind")]
    pub kinds: Vec<KindWord>,
    /// Only this channel, and the tiers above it
    #[arg(long, value_name = "NAME")]
    pub channel: Option<String>,
    /// Only pages of this vault, by name, path or id
    #[arg(long, value_name = "VAULT", conflicts_with = "channel")]
    pub vault: Option<String>,
    /// Include messages of archived conversations
    #[arg(long)]
    pub archived: bool,
    #[command(flatten)]
    pub lens: LensArgs,
    #[command(flatten)]
    pub hits: HitOptions,
}

/// A kind of searchable documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KindWord {
    Memory,
    Message,
    Page,
}

impl From<KindWord> for DocumentKind {
    fn from(word: KindWord) -> Self {
        match word {
            KindWord::Memory => Self::Memory,
            KindWord::Message => Self::Message,
            KindWord::Page => Self::Page,
        }
    }
}

pub async fn run(request: SearchDocuments, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    app.memory().prepare_search(&request.query).await?;
    let found = app.search().search_documents(asked(&app, &request).await?).await?;
    if let Some(reason) = &found.mode_reason {
        out.note(reason);
    }
    out.answer(&found, |found| shown(found, request.hits.explain, out))
}

async fn asked(app: &App, request: &SearchDocuments) -> Result<DocumentSearchRequest, Failure> {
    let vault_id = match &request.vault {
        Some(vault) => Some(app.vault().vault_id(vault).await?),
        None => None,
    };
    Ok(DocumentSearchRequest {
        vault_id,
        query: request.query.clone(),
        kinds: request.kinds.iter().map(|kind| (*kind).into()).collect(),
        channel_id: conversation::channel_id(app, request.channel.as_deref()).await?,
        archived: request.archived,
        limit: request.hits.limit,
        strategy: request.hits.strategy.clone(),
        lens: request.lens.clone().spec(),
    })
}

fn shown(found: &DocumentSearch, explain: bool, out: &Output) -> String {
    if found.hits.is_empty() {
        return "Nothing found.".to_owned();
    }
    let hit = |hit: &DocumentHit| match hit {
        DocumentHit::Memory(hit) => memory::show::hit(hit, explain, out),
        DocumentHit::Message(hit) => {
            let parts = if explain { memory::show::contributions(&hit.parts) } else { String::new() };
            conversation::show::hit(hit) + &parts
        }
        DocumentHit::Page(hit) => {
            let parts = if explain { memory::show::contributions(&hit.parts) } else { String::new() };
            vault::show::hit(hit) + &parts
        }
    };
    found.hits.iter().map(hit).collect::<Vec<_>>().join("\n")
}
