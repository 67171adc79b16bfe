export const palette = {
  "palette.recent": "Recent",
  "palette.named": "Always in mind",
  "palette.channel":
    "{count, plural, =0 {Channel} one {Channel, # conversation} other {Channel, # conversations}}",
  "palette.channelArchived":
    "{count, plural, =0 {Archived channel} one {Archived channel, # conversation} other {Archived channel, # conversations}}",
  "palette.kind.subject": "Subjects",
  "palette.kind.named": "Always in mind",
  "palette.kind.channel": "Channels",
  "palette.kind.conversation": "Conversations",
  "palette.all.memory": "All results in Memory",
  "palette.all.message": "All results in Conversations",
  "palette.all.page": "All results in Pages",
  "palette.all.action": "More commands",
  "palette.count": "{count, plural, =0 {Nothing found.} one {# result.} other {# results.}}",

  "palette.setting": "Settings: {section}",
  "palette.words.appearance": "theme light dark colours display text size",
  "palette.words.memory": "on off switch remember stop pause",
  "palette.words.fading": "decay fade forget half-life speed curve",
  "palette.words.search": "ranking strategy fusion relevance",
  "palette.words.meaning": "embedding vector download semantic folder",
  "palette.words.language-model": "api key endpoint ollama openai anthropic provider address",
  "palette.words.conversations": "compaction idle summary context length retain",
  "palette.words.orientation": "budget tokens layers prompt shown agent",
  "palette.words.consolidation": "tidying merge duplicates schedule background",
  "palette.words.data": "folder logs version about path disk",
} as const;
