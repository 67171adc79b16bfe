//! The `inklings chat` commands.

pub mod args;
pub mod show;

use crate::chat::args::{ChatVerb, Endpoint};
use crate::{
    failure::Failure,
    output::{Output, texts::standard_input},
    shared_args::Common,
    store,
};
use inklings_api::view::chat::ChatEndpoint;

pub async fn chat(verb: ChatVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::data_folder(common, out).await?;
    let settings = match verb {
        ChatVerb::Status => app.model().chat_settings().await?,
        ChatVerb::Connect(endpoint) => {
            let key = key(&endpoint)?;
            app.model().set_chat_endpoint(Some(view(endpoint)), key, false).await?
        }
        ChatVerb::Test(endpoint) => {
            let key = key(&endpoint)?;
            let test = app.model().test_chat_endpoint(view(endpoint), key).await?;
            return out.answer(&test, |test| test.models.join("\n"));
        }
        ChatVerb::Find => {
            return out.answer(&*app.model().running_models().await, show::running);
        }
        ChatVerb::Tokens { days } => {
            return out.answer(&*app.model().token_usage(days).await?, show::tokens);
        }
        ChatVerb::Disconnect { forget_key } => app.model().set_chat_endpoint(None, None, forget_key).await?,
    };
    out.answer(&settings, show::chat)
}

pub(crate) fn view(endpoint: Endpoint) -> ChatEndpoint {
    ChatEndpoint {
        provider: endpoint.provider.into(),
        base_url: endpoint.url,
        model: endpoint.model,
        context_tokens: endpoint.context_tokens,
        summary_model: endpoint.summary_model,
    }
}

/// Reads the key from standard input, because other programs can read command lines.
pub(crate) fn key(endpoint: &Endpoint) -> Result<Option<String>, Failure> {
    if !endpoint.key_stdin {
        return Ok(None);
    }
    Ok(Some(standard_input()?.trim().to_owned()))
}
