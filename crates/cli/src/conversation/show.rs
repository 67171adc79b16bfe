//! Prints conversations as text.

use crate::output::texts::{lines, minute, word};
use inklings_api::{
    conversation::{
        import_view::ConversationImportPreview,
        view::{
            CompactionPreview, ContextView, ConversationView, Delivery, EpisodeView, MessageView, Role,
            SummaryMaker,
        },
    },
    search::view::MessageHit,
};
use std::fmt::Write as _;

pub fn conversations(conversations: &[ConversationView]) -> String {
    lines(conversations, |conversation| {
        format!(
            "{}  {:8}  #{}  {}  {} messages  {}",
            conversation.ref_code,
            format!("{:?}", conversation.status).to_lowercase(),
            conversation.channel_name,
            minute(&conversation.active_at),
            conversation.messages,
            conversation.title
        )
    })
}

pub(crate) fn who(message: &MessageView) -> String {
    if let Some(marker) = &message.marker {
        return format!("compacted up to {} into \"{}\"", marker.through, marker.archive_name);
    }
    if let Some(name) = &message.attached_name {
        return format!("Worldbuilder attached \"{name}\"");
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
    lines(hits, hit)
}

pub fn hit(hit: &MessageHit) -> String {
    let snippet = hit.snippet.split_whitespace().collect::<Vec<_>>().join(" ");
    let (code, position) = (&hit.conversation.ref_code, hit.message.position);
    format!("{code} [{position}]  {:.2}  {}: {snippet}", hit.score, who(&hit.message))
}

pub fn context(view: &ContextView) -> String {
    let mut text = format!("{} of {} tokens\n\n{}", view.tokens, view.budget, view.prompt);
    text.push_str("\n## Messages\n");
    for item in &view.items {
        let legs: Vec<String> = item.legs.iter().map(|leg| format!("{leg:?}").to_lowercase()).collect();
        let words = item.message.content.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(
            text,
            "[{}] ({}) {}: {words}",
            item.message.position,
            legs.join(", "),
            who(&item.message)
        );
    }
    for budget in view.layers.iter().filter(|budget| budget.failed) {
        let _ = writeln!(text, "Left out, because it could not be read: {}.", word(&budget.layer));
    }
    text.trim_end().to_owned()
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

pub fn import(found: &ConversationImportPreview) -> String {
    let mut text = format!(
        "{} conversations: {} new, {} with something new, {} unchanged; {} messages.",
        found.conversations,
        found.new_conversations,
        found.updated_conversations,
        found.unchanged_conversations,
        found.messages
    );
    for refused in &found.refusals {
        let _ = write!(text, "\nCannot be read: {} ({})", refused.place, refused.reason);
    }
    if found.refused as usize > found.refusals.len() {
        let _ = write!(text, "\n{} in all cannot be read.", found.refused);
    }
    for skipped in &found.skipped {
        let _ = write!(text, "\nLeft out: {} ({})", skipped.reason, skipped.count);
    }
    for title in &found.titles {
        let _ = write!(text, "\n  {}", if title.is_empty() { "(no title)" } else { title });
    }
    text
}
