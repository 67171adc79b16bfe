//! Converts between the domain of conversations and its views.

use inklings_application::{
    conversation::{compact::CompactionPreview, settings::ConversationSettings},
    turn::{TurnEnd, calls_of},
};
use inklings_domain::{
    conversation::{
        Conversation,
        episode::Episode,
        message::{Message, estimated_tokens},
    },
    scratchpad::WorkingNote,
};
use inklings_ports::conversation::{store::ConversationSummary, transcript_store};

use crate::{
    conversation::view,
    events::TurnStep,
    view::lens::LensView,
    wire::{count, time},
};

/// A link to a conversation.
pub fn link(conversation: &Conversation) -> view::ConversationLink {
    view::ConversationLink {
        id: conversation.id.to_string(),
        ref_code: conversation.ref_code.to_string(),
        title: conversation.title.clone(),
    }
}

/// Converts a conversation with its counts to its view.
pub fn conversation(
    summary: &ConversationSummary,
    channel_name: String,
    continues: Option<&Conversation>,
    (answering, lens): (bool, Option<LensView>),
) -> view::ConversationView {
    let conversation = &summary.conversation;
    view::ConversationView {
        id: conversation.id.to_string(),
        ref_code: conversation.ref_code.to_string(),
        channel_id: conversation.channel_id.to_string(),
        channel_name,
        title: conversation.title.clone(),
        status: conversation.status.into(),
        started_at: time(conversation.started_at),
        ended_at: conversation.ended_at.map(time),
        active_at: time(conversation.active_at),
        messages: count(summary.messages),
        memories: count(summary.memories),
        continues: continues.map(link),
        shares_through: conversation.shares_through.map(count),
        model: conversation.model.as_ref().map(|choice| view::ConversationModel {
            model: choice.model().to_owned(),
            address: choice.address().to_owned(),
        }),
        answering,
        lens,
    }
}

/// Converts a message to its view.
pub fn message(message: &Message) -> view::MessageView {
    let body = &message.body;
    let origin = body.origin.as_ref();
    view::MessageView {
        id: body.id.to_string(),
        conversation_id: message.conversation.to_string(),
        position: count(message.position),
        role: body.role.into(),
        content: body.content.clone(),
        importance: body.importance.get(),
        delivery: body.delivery.into(),
        tool: body
            .tool
            .as_ref()
            .map(|tool| view::ToolResult { call_id: tool.call_id.clone(), name: tool.name.clone() }),
        calls: calls_of(body)
            .into_iter()
            .map(|call| view::ToolCall { id: call.id, name: call.name, arguments: call.arguments })
            .collect(),
        marker: body.marker.as_ref().map(|marker| view::MarkerView {
            archive_id: marker.archive.to_string(),
            archive_name: marker.archive_name.clone(),
            archived_at: time(marker.archived_at),
            through: count(marker.through),
        }),
        attached_name: body.attachment.as_ref().map(|attachment| attachment.name().to_owned()),
        speaker: origin.and_then(|origin| origin.speaker.clone()),
        said_at: origin.and_then(|origin| origin.said_at.clone()),
        at: time(body.at),
        updated_at: time(message.updated_at),
        consolidated_at: message.consolidated_at.map(time),
        tokens: count(estimated_tokens(&body.content)),
    }
}

/// Converts a range of messages from its view.
pub const fn range(range: view::MessageRange) -> transcript_store::MessageRange {
    match range {
        view::MessageRange::Newest => transcript_store::MessageRange::Newest,
        view::MessageRange::Before { position } => transcript_store::MessageRange::Before(position as u64),
        view::MessageRange::After { position } => transcript_store::MessageRange::After(position as u64),
    }
}

/// Converts a scratchpad note to its view.
pub fn note(note: &WorkingNote, reference: &str) -> view::NoteView {
    view::NoteView {
        conversation_id: note.conversation.to_string(),
        conversation_ref: reference.to_owned(),
        key: note.key.clone(),
        value: note.value.clone(),
        created_at: time(note.created_at),
        updated_at: time(note.updated_at),
        ttl_seconds: note.ttl_seconds,
        expires_at: note.expires_at.map(time),
    }
}

/// Converts the preview of a compaction to its view.
pub fn compaction(plan: &CompactionPreview) -> view::CompactionPreview {
    view::CompactionPreview {
        through: count(plan.through),
        messages: count(plan.messages),
        tokens_before: count(plan.tokens_before),
        tokens_after: count(plan.tokens_after),
        name: plan.name.clone(),
        summary: plan.summary.clone(),
        maker: plan.maker.into(),
        deletes_messages: plan.deletes_messages,
    }
}

/// Converts an episode to its view.
pub fn episode(episode: &Episode) -> view::EpisodeView {
    view::EpisodeView {
        id: episode.id.to_string(),
        summary: episode.summary.clone(),
        turn_count: count(episode.sources.len()),
        from: time(episode.from),
        until: time(episode.until),
        maker: episode.maker.into(),
        created_at: time(episode.created_at),
    }
}

/// Converts settings to their view.
pub fn settings(settings: ConversationSettings) -> view::ConversationSettings {
    view::ConversationSettings {
        keep_only_summaries: settings.keep_only_summaries,
        working_memory_cap: count(settings.working_cap),
        compact_at_tokens: count(settings.compact_at_tokens),
        retain_turns: count(settings.retain_turns),
        summarise_every_hours: count(settings.summarise_every_hours),
        model_titles: settings.model_titles,
    }
}

/// Converts settings from their view.
pub const fn read_settings(settings: view::ConversationSettings) -> ConversationSettings {
    ConversationSettings {
        keep_only_summaries: settings.keep_only_summaries,
        working_cap: settings.working_memory_cap as usize,
        compact_at_tokens: settings.compact_at_tokens as u64,
        retain_turns: settings.retain_turns as usize,
        summarise_every_hours: settings.summarise_every_hours as u64,
        model_titles: settings.model_titles,
    }
}

/// The final step of a turn, with a message for users.
pub fn turn_end(end: &TurnEnd) -> (TurnStep, Option<String>) {
    match end {
        TurnEnd::Done => (TurnStep::Done, None),
        TurnEnd::Cancelled => (TurnStep::Cancelled, None),
        TurnEnd::Failed(error) => (TurnStep::Failed, Some(crate::error::sentence(&error.to_string()))),
    }
}
