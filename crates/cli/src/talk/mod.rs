//! `inklings channel`, `conversation`, `scratchpad`, `fact`, `chat`

pub mod args;
mod conversation;
mod show;

use std::io::Read;

use inklings_api::{
    App,
    error::ErrorCode,
    views::{
        chat::ChatEndpoint,
        talk::{FactList, FactView},
    },
};

use self::args::{ChannelVerb, ChatVerb, Decision, Endpoint, FactVerb, ScratchpadVerb};
pub use self::conversation::run as conversation;
use crate::{args::Common, failure::Failure, output::Output, store};

pub async fn channel(verb: ChannelVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let done = match verb {
        ChannelVerb::List => {
            let channels = app.list_channels().await?;
            return out.answer(&channels, || show::channels(&channels));
        }
        ChannelVerb::Delete { name, into } => {
            let heir = match into {
                Some(heir) => Some(app.channel_id(&heir).await?),
                None => None,
            };
            app.delete_channel(&app.channel_id(&name).await?, heir.as_deref()).await?;
            return out.answer(&serde_json::json!({ "deleted": name }), || "Deleted.".to_owned());
        }
        ChannelVerb::Create { name, description } => app.create_channel(&name, &description).await?,
        ChannelVerb::Rename { name, new } => {
            app.update_channel(&app.channel_id(&name).await?, Some(&new), None).await?
        }
        ChannelVerb::Describe { name, text } => {
            app.update_channel(&app.channel_id(&name).await?, None, Some(&text)).await?
        }
        ChannelVerb::Archive { name } => app.archive_channel(&app.channel_id(&name).await?).await?,
        ChannelVerb::Restore { name } => app.restore_channel(&app.channel_id(&name).await?).await?,
    };
    out.answer(&done, || show::channels(std::slice::from_ref(&done)))
}

pub async fn scratchpad(verb: ScratchpadVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    match verb {
        ScratchpadVerb::Write { conversation, key, value, ttl, working } => {
            let ttl = ttl.or(working.then_some(App::working_ttl()));
            let note = app.write_scratchpad(&conversation, &key, &value, ttl).await?;
            out.answer(&note, || show::notes(std::slice::from_ref(&note)))
        }
        ScratchpadVerb::Read { conversation, key } => {
            let note = app.read_scratchpad(&conversation, &key).await?;
            let note =
                note.ok_or_else(|| Failure::new(ErrorCode::NotFound, "There is no such working note."))?;
            out.answer(&note, || note.value.clone())
        }
        ScratchpadVerb::List { conversation } => {
            let notes = app.list_scratchpad(Some(&conversation)).await?;
            out.answer(&notes, || show::notes(&notes))
        }
        ScratchpadVerb::Clear { conversation, key, working } => {
            let cleared = app.clear_scratchpad(&conversation, key.as_deref(), working).await?;
            out.answer(&serde_json::json!({ "cleared": cleared }), || format!("{cleared} removed."))
        }
    }
}

pub async fn fact(verb: FactVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::workspace(common, out).await?;
    let fact: FactView = match verb {
        FactVerb::Set { category, key, value, conversation, curator } => {
            let set = app.set_fact(&category, &key, &value, conversation.as_deref(), curator.into()).await?;
            if set.claimed {
                out.note("Your own word stands; this is kept as a claim for you to settle.");
            }
            return out.answer(&set, || show::facts(std::slice::from_ref(&set.fact)));
        }
        FactVerb::List { category, as_of, limit, after } => {
            let page = app.list_facts(FactList { category, as_of, after, limit }).await?;
            return out.answer(&page, || show::facts(&page.rows));
        }
        FactVerb::History { category, key } => {
            let fact = app.get_fact(&category, &key).await?;
            let values = app.fact_history(&fact.id).await?;
            return out.answer(&values, || show::values(&values));
        }
        FactVerb::Get { category, key } => app.get_fact(&category, &key).await?,
        FactVerb::Remove { category, key } => {
            app.remove_fact(&app.get_fact(&category, &key).await?.id).await?
        }
        FactVerb::Settle { claim, decision } => {
            app.settle_claim(&claim, decision == Decision::Accept).await?
        }
    };
    out.answer(&fact, || show::facts(std::slice::from_ref(&fact)))
}

pub async fn chat(verb: ChatVerb, common: &Common, out: &Output) -> Result<(), Failure> {
    let app = store::data_folder(common, out).await?;
    let settings = match verb {
        ChatVerb::Status => app.chat_settings().await?,
        ChatVerb::Connect(endpoint) => {
            let key = key(&endpoint)?;
            app.set_chat_endpoint(Some(view(endpoint)), key, false).await?
        }
        ChatVerb::Test(endpoint) => {
            let key = key(&endpoint)?;
            let test = app.test_chat_endpoint(view(endpoint), key).await?;
            return out.answer(&test, || test.models.join("\n"));
        }
        ChatVerb::Disconnect { forget_key } => app.set_chat_endpoint(None, None, forget_key).await?,
    };
    out.answer(&settings, || show::chat(&settings))
}

fn view(endpoint: Endpoint) -> ChatEndpoint {
    ChatEndpoint {
        provider: endpoint.provider.into(),
        base_url: endpoint.url,
        model: endpoint.model,
        context_tokens: endpoint.context_tokens,
    }
}

/// A key is read from standard input: on the command line, other programs could see it.
fn key(endpoint: &Endpoint) -> Result<Option<String>, Failure> {
    if !endpoint.key_stdin {
        return Ok(None);
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::internal(&error))?;
    Ok(Some(text.trim().to_owned()))
}
