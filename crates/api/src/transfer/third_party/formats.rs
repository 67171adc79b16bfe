//! The formats of entries, as they are called across a process boundary.

use inklings_formats::entries::Format;

use crate::transfer::view::TransferFormat;

/// The format of entries of a format of files; `None` for those that have a reader of their own.
pub(super) const fn format_of(format: TransferFormat) -> Option<Format> {
    Some(match format {
        TransferFormat::Sillytavern => Format::SillyTavern,
        TransferFormat::CharacterCard => Format::CharacterCard,
        TransferFormat::LorebookV3 => Format::LorebookV3,
        TransferFormat::Novelai => Format::NovelAi,
        TransferFormat::Novelcrafter => Format::Novelcrafter,
        TransferFormat::AiDungeon => Format::AiDungeon,
        TransferFormat::JanitorAi => Format::JanitorAi,
        TransferFormat::Risu => Format::Risu,
        TransferFormat::KoboldAi => Format::KoboldAi,
        TransferFormat::Agnai => Format::Agnai,
        TransferFormat::Letta => Format::Letta,
        TransferFormat::ClaudeMemories => Format::ClaudeMemories,
        TransferFormat::Mem0 => Format::Mem0,
        TransferFormat::McpJsonl => Format::McpJsonl,
        TransferFormat::Markdown => Format::Markdown,
        TransferFormat::Graphml => Format::GraphMl,
        TransferFormat::Inklings | TransferFormat::Jsonl => return None,
    })
}

/// As [`format_of`], the other way round.
pub(super) const fn view_of(format: Format) -> TransferFormat {
    match format {
        Format::SillyTavern => TransferFormat::Sillytavern,
        Format::CharacterCard => TransferFormat::CharacterCard,
        Format::LorebookV3 => TransferFormat::LorebookV3,
        Format::NovelAi => TransferFormat::Novelai,
        Format::Novelcrafter => TransferFormat::Novelcrafter,
        Format::AiDungeon => TransferFormat::AiDungeon,
        Format::JanitorAi => TransferFormat::JanitorAi,
        Format::Risu => TransferFormat::Risu,
        Format::KoboldAi => TransferFormat::KoboldAi,
        Format::Agnai => TransferFormat::Agnai,
        Format::Letta => TransferFormat::Letta,
        Format::ClaudeMemories => TransferFormat::ClaudeMemories,
        Format::Mem0 => TransferFormat::Mem0,
        Format::McpJsonl => TransferFormat::McpJsonl,
        Format::Markdown => TransferFormat::Markdown,
        Format::GraphMl => TransferFormat::Graphml,
    }
}
