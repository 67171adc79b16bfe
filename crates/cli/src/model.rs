//! The `inklings model` and `inklings embed` commands.

use std::sync::Arc;

use inklings_api::{
    App,
    error::ErrorCode,
    view::model::{ModelStatus, ModelView},
};
use serde_json::json;

use crate::{
    args::{Embed, ModelVerb},
    client::args::Switch,
    failure::Failure,
    output::{Output, table, word},
    progress::{EmbedBar, FetchBar},
    shared_args::Common,
    store,
};

pub async fn run(verb: ModelVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace_if_any(common, out).await?;
    match verb {
        ModelVerb::List => {
            app.model().load_model().await;
            out.answer(&*app.model().list_models(), list)
        }
        ModelVerb::Fetch { name } => {
            fetch(&app, &name).await?;
            // `fetch` is also the only command that selects a model.
            app.model().use_model(&name).await?;
            report(&app, out).await
        }
        ModelVerb::UseFolder { path } => {
            app.model().use_model_folder(&path).await?;
            report(&app, out).await
        }
        ModelVerb::Own { state } => {
            app.model().load_model().await;
            app.model().set_own_model(state == Switch::On).await?;
            report(&app, out).await
        }
        ModelVerb::Status => {
            app.model().load_model().await;
            report(&app, out).await
        }
    }
}

/// Downloads a model. Ctrl-C cancels and removes the partial download.
async fn fetch(app: &App, name: &str) -> Result<(), Failure> {
    let model = app.model();
    let fetching = model.fetch_model(name, Arc::new(FetchBar::new(name)));
    tokio::pin!(fetching);
    loop {
        tokio::select! {
            done = &mut fetching => return Ok(done?),
            Ok(()) = tokio::signal::ctrl_c() => model.cancel_fetch(),
        }
    }
}

/// Up to this number of entries, loading more copies of the model is not worthwhile.
const FEW: u32 = 50;

/// Embeds the entries without a vector in the workspace in use, or with `--all` in every workspace. A workspace whose model does
/// not load makes it fail once the others are embedded.
pub async fn embed(embed: Embed, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace_if_any(common, out).await?;
    let mut names: Vec<String> =
        app.workspace().current_workspace().map(|w| w.name.as_str().to_owned()).into_iter().collect();
    if embed.all && common.workspace.is_none() {
        names =
            app.workspace().list_workspaces().await?.into_iter().map(|workspace| workspace.name).collect();
    }
    let (mut embedded, mut refused) = (0, None);
    for name in &names {
        app.workspace().open_workspace(name).await?;
        app.model().load_model().await;
        let status = app.model().model_status().await?;
        if !app.model().has_model() {
            let why = status.message.unwrap_or_else(|| "No embedding model is in use.".into());
            refused.get_or_insert(Failure::new(ErrorCode::ModelUnavailable, why));
            continue;
        }
        if status.pending > FEW || names.len() > 1 {
            app.memory().embed_on_every_core().await?;
        }
        embedded += embed_one(&app, name).await?;
    }
    if let Some(failure) = refused {
        return Err(failure);
    }
    out.answer(&json!({ "embedded": embedded }), |_| format!("Embedded {embedded} memories."))
}

/// Ctrl-C stops after the current batch; finished vectors are retained.
async fn embed_one(app: &App, name: &str) -> Result<u32, Failure> {
    let bar = EmbedBar::new(name);
    let model = app.model();
    let (work, stop) = (model.embed_pending(&bar), bar.clone());
    tokio::pin!(work);
    let mut stopped = false;
    let done = loop {
        tokio::select! {
            done = &mut work => break done,
            Ok(()) = tokio::signal::ctrl_c() => {
                stop.stop();
                stopped = true;
            }
        }
    };
    bar.clear();
    match done? {
        done if stopped => Err(Failure::new(
            ErrorCode::Cancelled,
            format!("Stopped. {done} memories got their vector; the others keep waiting."),
        )),
        done => Ok(done),
    }
}

async fn report(app: &App, out: &Output) -> Result<(), Failure> {
    out.answer(&app.model().model_status().await?, summary)
}

fn summary(status: &ModelStatus) -> String {
    let ModelStatus { state, active_id, own, message, embedded, pending } = status;
    let of = if *own { ", of this workspace" } else { "" };
    let mut lines = vec![
        format!("model     {}{of}", active_id.as_deref().unwrap_or("none")),
        format!("state     {}", word(state)),
        format!("embedded  {embedded}"),
        format!("pending   {pending}"),
    ];
    lines.extend(message.iter().map(|message| format!("message   {message}")));
    lines.join("\n")
}

fn list(models: &[ModelView]) -> String {
    let row = |model: &ModelView| {
        let place = match (model.bundled, model.installed) {
            (true, _) => "bundled",
            (false, true) => "installed",
            (false, false) => "",
        };
        vec![
            if model.active { "*" } else { "" }.to_owned(),
            model.id.clone(),
            place.to_owned(),
            model.dimension.to_string(),
            format!("{} MB", model.size_mb),
            model.license.clone(),
            model.languages.clone(),
        ]
    };
    let head = ["", "id", "", "dim", "size", "licence", "languages"];
    table(&head, &models.iter().map(row).collect::<Vec<_>>())
}
