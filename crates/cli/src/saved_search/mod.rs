//! The `inklings saved-search` commands.

pub mod args;

use inklings_api::{
    App,
    memory::filter::{ListRequest, MemoryFilter},
    search::view::{SavedSearch, SavedView, SearchRequest},
    vocabulary::Sort,
};

use crate::{
    conversation,
    failure::Failure,
    memory::show,
    output::{Output, texts::line},
    saved_search::args::{NewSearch, SavedSearchVerb},
    shared_args::Common,
    store,
};

pub async fn saved_search(verb: SavedSearchVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let all = match verb {
        SavedSearchVerb::List => app.search().list_saved_searches().await?,
        SavedSearchVerb::Add(search) => {
            let view = asked(&app, &search).await?;
            app.search().save_search(&search.name, &view, None).await?
        }
        SavedSearchVerb::Run { name, limit } => {
            let search = app.search().saved_search(&name).await?;
            return run(&app, search.view, limit, out).await;
        }
        SavedSearchVerb::Rename { name, to } => {
            let search = app.search().saved_search(&name).await?;
            app.search().rename_saved_search(&search.id, &to).await?
        }
        SavedSearchVerb::Remove { name } => {
            let search = app.search().saved_search(&name).await?;
            app.search().remove_saved_search(&search.id).await?
        }
    };
    out.answer(&*all, shown)
}

async fn asked(app: &App, search: &NewSearch) -> Result<SavedView, Failure> {
    let conversation_id = match &search.place.conversation {
        Some(code) => Some(app.conversation().get_conversation(code).await?.id),
        None => None,
    };
    let filter = MemoryFilter {
        scope: search.scope.map(Into::into),
        channel_id: conversation::channel_id(app, search.place.channel.as_deref()).await?,
        conversation_id,
        terms: Vec::new(),
        lens: search.lens.clone().spec(),
    };
    Ok(SavedView { query: search.query.clone(), filter, sort: None })
}

async fn run(app: &App, view: SavedView, limit: u32, out: &Output) -> Result<(), Failure> {
    let SavedView { query, filter, sort } = view;
    let Some(query) = query else {
        let sort = sort.unwrap_or(Sort::UpdatedDesc);
        return out.answer(
            &app.memory().list_memories(ListRequest { filter, sort, after: None, limit }).await?,
            show::page,
        );
    };
    app.memory().prepare_search(&query).await?;
    let request = SearchRequest { query, filter, limit, first: None, strategy: None };
    let found = app.memory().search_memories(request).await?;
    if let Some(reason) = &found.mode_reason {
        out.note(reason);
    }
    out.answer(&found, |found| show::found(found, false, out))
}

fn shown(all: &[SavedSearch]) -> String {
    if all.is_empty() {
        return "No saved searches.".to_owned();
    }
    let of = |search: &SavedSearch| {
        let query = search.view.query.as_deref().map_or_else(|| "a list".to_owned(), line);
        format!("{}  {}  {query}", search.id, line(&search.name))
    };
    all.iter().map(of).collect::<Vec<_>>().join("\n")
}
