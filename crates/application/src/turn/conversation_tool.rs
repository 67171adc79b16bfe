//! The World Agent reads earlier conversations of its channel. Through a lens, only those that its lens shows.

use inklings_domain::{
    conversation::{Conversation, message::Message},
    ids::ConversationId,
    orientation::shown::{Seen, Showing, Through},
};
use inklings_ports::{
    conversation::{
        store::{ConversationFilter, ConversationSummary},
        transcript_store::MessageRange,
    },
    search::transcript_store::TranscriptFilter,
};
use serde_json::{Value, json};

use super::tools::{Refusal, ToolAnswer};
use crate::{
    error::AppError,
    services::Turns,
    tools::{
        InvalidArgument,
        argument::{Whole, needed},
        arguments::{
            Conversation as Args, ConversationAction, STANDARD_CONVERSATIONS, STANDARD_FOUND,
            STANDARD_MESSAGES,
        },
    },
};

impl Turns<'_> {
    pub(super) async fn conversation_tool(
        &self,
        conversation: &Conversation,
        args: Args,
    ) -> Result<ToolAnswer, Refusal> {
        if args.channel.is_some() {
            return Err(Refusal::invalid("leave 'channel' out: it is this conversation's"));
        }
        let lens = self.session.lenses().resolve(conversation.lens).await?;
        let only = lens.map(|lens| lens.conversations.clone());
        let limit = args.limit.map(|Whole(limit)| limit as usize);
        match args.action {
            ConversationAction::List => {
                let channel = Some(conversation.channel_id);
                let filter = ConversationFilter { channel, only, ..ConversationFilter::default() };
                let limit = limit.unwrap_or(STANDARD_CONVERSATIONS);
                let found = self.session.conversations().list(&filter, None, limit).await?.rows;
                let seen = found.iter().map(|row| Seen::conversation(row.conversation.id)).collect();
                let list: Vec<Value> = found.iter().map(|row| summary(row, conversation)).collect();
                let showing = Showing::of(Through::Conversations, seen);
                Ok(ToolAnswer::with(json!({ "conversations": list }), showing))
            }
            ConversationAction::Read => {
                let read = self.readable(conversation, args.conversation.as_deref(), only.as_deref()).await?;
                let range = args
                    .before
                    .map_or(MessageRange::Newest, |Whole(position)| MessageRange::Before(position));
                let page = self
                    .session
                    .transcripts()
                    .page(read.id, range, limit.unwrap_or(STANDARD_MESSAGES))
                    .await?;
                let list: Vec<Value> = page.messages.iter().map(message).collect();
                let answer = json!({ "conversation": read.ref_code.to_string(), "messages": list,
                    "earlier": page.earlier });
                Ok(ToolAnswer::with(answer, seen(page.messages.iter())))
            }
            ConversationAction::Search => {
                let query = needed(args.query, "query")?;
                let within = match args.conversation.as_deref() {
                    Some(name) => Some(self.readable(conversation, Some(name), only.as_deref()).await?.id),
                    None => None,
                };
                let channel = Some(conversation.channel_id);
                let filter =
                    TranscriptFilter { conversation: within, channel, only, archived: true, lens: None };
                let limit = limit.unwrap_or(STANDARD_FOUND);
                let found = self.session.search().messages_of(filter, &query, limit).await?;
                let row = |(of, found): &(Conversation, Message)| {
                    let mut value = message(found);
                    value["conversation"] = json!(of.ref_code.to_string());
                    value
                };
                let list: Vec<Value> = found.iter().map(row).collect();
                let showing = seen(found.iter().map(|(_, message)| message));
                Ok(ToolAnswer::with(json!({ "messages": list }), showing))
            }
            ConversationAction::Append => Err(InvalidArgument::UnknownTool.into()),
        }
    }

    /// A conversation by its reference code, if the World Agent may read it from here; without a name, this one.
    async fn readable(
        &self,
        here: &Conversation,
        name: Option<&str>,
        only: Option<&[ConversationId]>,
    ) -> Result<Conversation, AppError> {
        let Some(name) = name else { return Ok(here.clone()) };
        let found = self.session.conversations().named(name).await?;
        let may_read =
            found.channel_id == here.channel_id && only.is_none_or(|only| only.contains(&found.id));
        // What it may not read, it does not learn of.
        may_read
            .then_some(found)
            .ok_or_else(|| AppError::NotFound { what: "conversation", name: name.to_owned() })
    }
}

fn seen<'m>(messages: impl Iterator<Item = &'m Message>) -> Showing {
    Showing::of(Through::Transcript, messages.map(|message| Seen::message(message.id())).collect())
}

fn summary(row: &ConversationSummary, here: &Conversation) -> Value {
    let Conversation { id, ref_code, title, status, active_at, .. } = &row.conversation;
    json!({ "conversation": ref_code.to_string(), "title": title, "status": status.as_str(), "messages": row.messages,
            "active_at": active_at.to_rfc3339(), "this_one": *id == here.id })
}

fn message(message: &Message) -> Value {
    let mut value = json!({ "position": message.position, "role": message.body.role.as_str(), "text": message.body.content,
            "at": message.body.at.to_rfc3339() });
    if let Some(attachment) = &message.body.attachment {
        value["attached_file"] = json!(attachment.name());
    }
    value
}
