//! The `inklings memory` commands.

pub mod args;
pub mod show;

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

use inklings_api::{
    App,
    memory::by_name::ScopeFilterSpec,
    view::{
        change::Noted,
        memory::{MemoryPatch, NewMemory},
    },
    vocabulary::{Lifetime, Scope, Sort},
};

use crate::{
    failure::Failure,
    memory::args::{Add, Edit, ImportJsonl, List, MemoryVerb, Move, Search},
    output::{Output, texts::read},
    shared_args::{Common, LensArgs, PlaceArgs, ScopeWord},
    store,
};

pub async fn run(verb: MemoryVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        MemoryVerb::Add(request) => add(&app, request, out).await,
        MemoryVerb::ImportJsonl(request) => import(&app, request, out).await,
        MemoryVerb::List(request) => list(&app, request, out).await,
        MemoryVerb::Search(request) => search(&app, request, out).await,
        MemoryVerb::Strategy { strategy } => {
            let settings = match strategy {
                Some(strategy) => app.settings().set_search_strategy(&strategy).await?,
                None => app.settings().search_settings().await?,
            };
            out.answer(&settings, show::strategy)
        }
        MemoryVerb::Get { id } => out.answer(&app.memory().get_memory(&id).await?, show::detail),
        MemoryVerb::Edit(request) => edit(&app, request, out).await,
        MemoryVerb::Forget { id } => {
            let change = app.memory().forget_memories(&[id], "").await?;
            out.answer(&change, |change| change.summary.clone())
        }
        MemoryVerb::Restore { id } => {
            let change = app.memory().restore_memories(&[id]).await?;
            out.answer(&change, |change| change.summary.clone())
        }
        MemoryVerb::Pin { id } => pin(&app, &id, true, out).await,
        MemoryVerb::Unpin { id } => pin(&app, &id, false, out).await,
        MemoryVerb::History { id } => out.answer(&*app.memory().memory_history(&id).await?, show::history),
        MemoryVerb::Move(Move { ids, world, scope, channel, conversation }) => {
            let (channel, conversation) = (channel.as_deref(), conversation.as_deref());
            let tier = match (channel, conversation) {
                (_, Some(_)) => ScopeWord::Conversation,
                (Some(_), None) => ScopeWord::Channel,
                (None, None) => ScopeWord::Workspace,
            };
            let scope = scope.unwrap_or(tier).into();
            let change =
                app.memory().move_memories_to(&ids, world.as_deref(), scope, channel, conversation).await?;
            out.answer(&change, |change| change.summary.clone())
        }
        MemoryVerb::Promote { id, append: true, .. } => {
            let page = app.vault().append_memory(&id).await?;
            out.answer(&page, |page| format!("Appended to {}.", page.path))
        }
        MemoryVerb::Promote { id, page, .. } => {
            let page = page.unwrap_or_default();
            let diff = app.vault().promote_memory(&id, &page).await?;
            out.answer(&serde_json::json!({ "diff": diff }), |_| diff.trim_end_matches('\n').to_owned())
        }
        MemoryVerb::Undo => {
            let change = app.memory().undo_last().await?;
            out.answer(&change, |change| change.summary.clone())
        }
    }
}

/// Pins or unpins. Does nothing if the entry has that state already.
async fn pin(app: &App, id: &str, pinned: bool, out: &Output) -> Result<(), Failure> {
    let detail = app.memory().get_memory(id).await?;
    if detail.row.pinned == pinned {
        return out.answer(&detail, show::detail);
    }
    let patch = MemoryPatch { pinned: Some(pinned), ..MemoryPatch::default() };
    let written = app.memory().update_memory(id, detail.row.version, patch).await?;
    out.answer(&written, |written| written.change.summary.clone())
}

async fn add(app: &App, request: Add, out: &Output) -> Result<(), Failure> {
    let content = read(request.text)?;
    let made = Made::before(app, request.scope, request.channel.as_deref()).await?;
    let scope: Scope = request.scope.into();
    let lifetime = if scope == Scope::Conversation { Lifetime::Conversation } else { Lifetime::LongTerm };
    let new = NewMemory {
        scope,
        channel_id: None,
        conversation_id: None,
        lifetime,
        title: request.title,
        keys: request.keys,
        content,
        importance: request.importance,
        tags: request.tags,
        made_of: request.made_of,
    };
    let (channel, conversation) = (request.channel.as_deref(), request.conversation.as_deref());
    let source = request.source.as_deref();
    let noted =
        app.memory().create_memory_as(new, channel, conversation, source, request.curator.into()).await?;
    made.note(app, out).await?;
    out.answer(&noted, |noted| match noted {
        Noted::Written(written) => written.detail.row.id.clone(),
        Noted::Proposed { proposed: Some(id) } => {
            format!("This may be about a world. It is proposal {id} now: accept or reject it.")
        }
        Noted::Proposed { proposed: None } => {
            "This may be about a world, and was proposed before.".to_owned()
        }
    })
}

async fn import(app: &App, request: ImportJsonl, out: &Output) -> Result<(), Failure> {
    let reader: Box<dyn BufRead> = if request.file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&request.file).map_err(|error| Failure::file(&request.file, &error))?;
        Box::new(BufReader::with_capacity(1 << 16, file))
    };
    let name = if request.file == Path::new("-") {
        "standard input".to_owned()
    } else {
        request.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let made = Made::before(app, request.scope, request.channel.as_deref()).await?;
    let report = app
        .memory()
        .import_jsonl(request.scope.into(), request.channel.as_deref(), reader, request.pick_all, &name)
        .await?;
    made.note(app, out).await?;
    out.answer(&report, |report| {
        let sentence =
            format!("{} added, {} updated, {} unchanged.", report.added, report.updated, report.unchanged);
        match report.left_out {
            0 => sentence,
            left => format!(
                "{sentence} {left} left out, because they would change what stands here or write the account: look at \
                 them with 'inklings import FILE --format jsonl --dry-run', or let all in with --pick-all."
            ),
        }
    })
}

/// Detects whether a write created the channel that it names.
struct Made(Option<String>);

impl Made {
    async fn before(app: &App, scope: ScopeWord, channel: Option<&str>) -> Result<Self, Failure> {
        let name = channel.filter(|_| matches!(scope, ScopeWord::Channel | ScopeWord::Conversation));
        match name {
            Some(name) if !app.memory().has_channel(name).await? => Ok(Self(Some(name.to_owned()))),
            _ => Ok(Self(None)),
        }
    }

    async fn note(self, app: &App, out: &Output) -> Result<(), Failure> {
        if let Some(name) = self.0
            && app.memory().has_channel(&name).await?
        {
            out.note(format_args!("There was no channel '{name}' yet; made it."));
        }
        Ok(())
    }
}

fn scope_filter(scopes: &[ScopeWord], place: PlaceArgs, lens: LensArgs) -> ScopeFilterSpec {
    ScopeFilterSpec {
        scopes: scopes.iter().map(|word| (*word).into()).collect(),
        channel: place.channel,
        conversation: place.conversation,
        lens: lens.spec().unwrap_or_default(),
    }
}

async fn list(app: &App, request: List, out: &Output) -> Result<(), Failure> {
    let scope_filter = scope_filter(&request.scope, request.place, request.lens);
    out.answer(
        &app.memory()
            .list_by_name(&scope_filter, Sort::UpdatedDesc, request.after.as_deref(), request.limit)
            .await?,
        show::page,
    )
}

async fn search(app: &App, request: Search, out: &Output) -> Result<(), Failure> {
    let scope_filter = scope_filter(&request.scope, request.place, request.lens);
    app.memory().prepare_search(&request.query).await?;
    let found = app
        .memory()
        .search_by_name(request.query, &scope_filter, request.hits.limit, request.hits.strategy)
        .await?;
    if let Some(reason) = &found.mode_reason {
        out.note(reason);
    }
    out.answer(&found, |found| show::found(found, request.hits.explain, out))
}

async fn edit(app: &App, request: Edit, out: &Output) -> Result<(), Failure> {
    let content = request.content.map(read).transpose()?;
    let version = match request.version {
        Some(version) => version,
        None => app.memory().get_memory(&request.id).await?.row.version,
    };
    let keys = (request.no_keys || !request.keys.is_empty()).then_some(request.keys);
    let patch = MemoryPatch { content, title: request.title, keys, ..MemoryPatch::default() };
    let written = app.memory().update_memory(&request.id, version, patch).await?;
    out.answer(&written, |written| {
        format!("{} It is version {} now.", dot(&written.change.summary), written.detail.row.version)
    })
}

fn dot(sentence: &str) -> String {
    format!("{}.", sentence.trim_end_matches('.'))
}
