//! Channels, conversations, messages, notes and facts as text for people.

use std::fmt::Write as _;

use inklings_api::views::{
    chat::ChatSettings,
    conversation_import::ConversationImportPreview,
    talk::{
        CompactionPreview, ContextView, ConversationView, Delivery, EpisodeView, FactSource, FactValueView,
        FactView, MessageHit, MessageView, NoteView, Role, SummaryMaker,
    },
    workspace::ChannelView,
};

/// One line for each, without the last line end.
fn lines<T>(rows: &[T], line: impl Fn(&T) -> String) -> String {
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The day and minute of a time.
fn minute(time: &str) -> String {
    time.get(..16).unwrap_or(time).replace('T', " ")
}

pub fn channels(channels: &[ChannelView]) -> String {
    lines(channels, |channel| {
        let archived = if channel.archived_at.is_some() { "  (archived)" } else { "" };
        format!(
            "#{}  {} conversations  {} memories{archived}{}{}",
            channel.name,
            channel.conversations,
            channel.memories,
            if channel.description.is_empty() { "" } else { "  " },
            channel.description
        )
    })
}

pub fn conversations(conversations: &[ConversationView]) -> String {
    lines(conversations, |talk| {
        format!(
            "{}  {:8}  #{}  {}  {} messages  {}",
            talk.ref_code,
            format!("{:?}", talk.status).to_lowercase(),
            talk.channel_name,
            minute(&talk.active_at),
            talk.messages,
            talk.title
        )
    })
}

fn who(message: &MessageView) -> String {
    if let Some(marker) = &message.marker {
        return format!("compacted up to {} into \"{}\"", marker.through, marker.archive_name);
    }
    match (&message.speaker, &message.tool, message.role) {
        (Some(speaker), ..) => speaker.clone(),
        (_, Some(tool), _) => format!("tool {}", tool.name),
        (.., Role::User) => "Worldbuilder".to_owned(),
        (.., Role::Assistant) => "World Agent".to_owned(),
        (.., Role::Tool) => "Tool".to_owned(),
        (.., Role::System) => "Inklings".to_owned(),
    }
}

pub fn messages(messages: &[MessageView]) -> String {
    lines(messages, |message| {
        let state = match message.delivery {
            Delivery::Complete => "",
            Delivery::Streaming => " (still arriving)",
            Delivery::Cancelled => " (stopped)",
            Delivery::Failed => " (broke off)",
        };
        let mut text = format!("[{}] {}  {}{state}", message.position, minute(&message.at), who(message));
        for call in &message.calls {
            let _ = write!(text, "\n    calls {} {}", call.name, call.arguments);
        }
        for line in message.content.lines() {
            let _ = write!(text, "\n    {line}");
        }
        text
    })
}

pub fn hits(hits: &[MessageHit]) -> String {
    lines(hits, |hit| {
        let snippet = hit.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
        let (code, position) = (&hit.conversation.ref_code, hit.message.position);
        format!("{code} [{position}]  {:.2}  {}: {snippet}", hit.score, who(&hit.message))
    })
}

pub fn context(view: &ContextView) -> String {
    let mut text = format!("{} of {} tokens\n\n{}", view.tokens, view.budget, view.prompt);
    text.push_str("\n## Messages\n");
    for item in &view.items {
        let legs: Vec<String> = item.legs.iter().map(|leg| format!("{leg:?}").to_lowercase()).collect();
        let said = item.message.content.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            text,
            "[{}] ({}) {}: {said}",
            item.message.position,
            legs.join(", "),
            who(&item.message)
        );
    }
    for note in &view.notes {
        let _ = writeln!(text, "{note}");
    }
    text.trim_end().to_owned()
}

pub fn notes(notes: &[NoteView]) -> String {
    lines(notes, |note| {
        let until =
            note.expires_at.as_ref().map(|at| format!("  (until {})", minute(at))).unwrap_or_default();
        format!("{}  {}{until}", note.key, note.value)
    })
}

pub fn facts(facts: &[FactView]) -> String {
    lines(facts, |fact| {
        let who = if fact.source == FactSource::User { "you" } else { "agent" };
        let value = if fact.removed_at.is_some() { "(removed)" } else { &fact.value };
        let mut text =
            format!("{} / {}: {value}  ({who}, {})", fact.category, fact.key, minute(&fact.updated_at));
        for claim in &fact.claims {
            let _ = write!(text, "\n    claim {}: {}", claim.id, claim.value);
        }
        text
    })
}

pub fn values(values: &[FactValueView]) -> String {
    lines(values, |value| {
        let until = value.until.as_ref().map_or_else(|| "now".to_owned(), |at| minute(at));
        let said = if value.removed { "(removed)" } else { &value.value };
        format!("{}  {} to {until}  {said}", value.version, minute(&value.from))
    })
}

pub fn episodes(episodes: &[EpisodeView]) -> String {
    lines(episodes, |episode| {
        format!(
            "{} to {}  ({} turns)  {}",
            minute(&episode.from),
            minute(&episode.until),
            episode.turn_count,
            episode.summary
        )
    })
}

pub fn compaction(plan: &CompactionPreview) -> String {
    let maker = if plan.maker == SummaryMaker::Model { "the language model" } else { "chosen sentences" };
    format!(
        "{} messages up to {}: {} tokens become {} (by {maker}).{}\n{}\n\n{}",
        plan.messages,
        plan.through,
        plan.tokens_before,
        plan.tokens_after,
        if plan.deletes_messages { " The messages are deleted." } else { " The messages stay." },
        plan.name,
        plan.summary
    )
}

pub fn chat(settings: &ChatSettings) -> String {
    let Some(endpoint) = &settings.endpoint else { return "No language model is connected.".to_owned() };
    let key = if settings.has_key { format!("a key in {}", settings.key_place) } else { "no key".to_owned() };
    format!("{} at {} ({} tokens, {key})", endpoint.model, endpoint.base_url, endpoint.context_tokens)
}

pub fn import(found: &ConversationImportPreview) -> String {
    let mut text = format!(
        "{} conversations: {} new, {} with something new, {} unchanged; {} messages.",
        found.conversations,
        found.new_conversations,
        found.updated_conversations,
        found.unchanged_conversations,
        found.messages
    );
    for skipped in &found.skipped {
        let _ = write!(text, "\nLeft out: {} ({})", skipped.reason, skipped.count);
    }
    for title in &found.titles {
        let _ = write!(text, "\n  {}", if title.is_empty() { "(no title)" } else { title });
    }
    text
}
