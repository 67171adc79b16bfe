export const settings = {
  "settings.title": "Settings",

  "settings.look.title": "Appearance",
  "settings.look.theme": "Theme",
  "settings.look.themeBody": "Paper by day, ink by night.",

  "settings.memory.title": "Memory",
  "settings.memory.on": "Remember in this workspace",
  "settings.memory.onBody":
    "The World Agent, background tasks and AI clients add to the memory of this world as they were allowed to.",
  "settings.memory.offBody":
    "Off: only you add to the memory of this world. What is there stays, and can be searched and edited.",

  "settings.decay.title": "How memories fade",
  "settings.decay.body":
    "Relevance falls while a memory is not used, and fading ones step back in recall. Nothing is deleted by it: search always finds everything.",
  "settings.decay.preset": "Pace",
  "settings.decay.steady": "Steady",
  "settings.decay.steadyBody": "Slow, for work that rests for weeks.",
  "settings.decay.brisk": "Brisk",
  "settings.decay.briskBody": "Recent work comes first. Conversation notes do not fade.",
  "settings.decay.custom": "Custom",
  "settings.decay.customBody": "Your own pace for each tier.",
  "settings.decay.half": "Halves in",
  "settings.decay.days": "days",
  "settings.decay.none": "Does not fade",
  "settings.decay.rate": "{rate} per hour",
  "settings.decay.halfLife": "halves in {days, plural, one {# day} other {# days}}",
  "settings.decay.halfLifeHours": "halves in {hours, plural, one {# hour} other {# hours}}",
  "settings.decay.week": "{percent} left after a week",
  "settings.decay.halfLabel": "{tier}: days until half is left",
  "settings.decay.chart": "What is left of a memory over 60 days without use, for each tier",
  "settings.decay.axisDays": "days without use",
  "settings.decay.pause": "Pause while you are away",
  "settings.decay.pauseBody":
    "Days on which this world is not opened do not count. A long holiday costs you nothing.",
  "settings.decay.invalid": "Between an hour and 50 years, please.",
  "settings.decay.table": "Fading by tier",

  "settings.search.title": "Order of search results",
  "settings.search.body":
    "How what is found by words and by meaning becomes one list: in your searches, in those of the World Agent and of AI clients, and in what the agent sees.",
  "settings.search.additive": "By score",
  "settings.search.additiveBody": "Adds up how well the words, the meaning and what is around it match.",
  "settings.search.rrf": "By rank (RRF)",
  "settings.search.rrfBody":
    "Counts only the places in the lists of words and of meaning, not how far apart they are.",

  "settings.model.title": "Search by meaning",
  "settings.model.body":
    "A small model on this computer turns each memory into a point, so that a search finds what is meant and not only what is written. Nothing leaves this machine.",
  "settings.model.state.ready": "Ready",
  "settings.model.state.loading": "Starting",
  "settings.model.state.missing": "Not installed",
  "settings.model.state.downloading": "Downloading",
  "settings.model.state.failed": "Did not start",
  "settings.model.state.text_only": "Words only",
  "settings.model.embedded":
    "{done, number} of {total, plural, one {# memory} other {# memories}} can be found by meaning",
  "settings.model.allEmbedded": "{total, plural, one {# memory} other {# memories}}, all found by meaning",
  "settings.model.embedNow": "Catch up now",
  "settings.model.embedProgress": "Progress of finding by meaning",
  "settings.model.textOnly":
    "Without a model, search goes by words: exact and fast, but “harbour” will not find “port”. Everything else works the same, and meaning joins as soon as a model is there.",
  "settings.model.list": "Models",
  "settings.model.active": "In use",
  "settings.model.use": "Use",
  "settings.model.useNamed": "Use {name}",
  "settings.model.download": "Download",
  "settings.model.downloadNamed": "Download {name}, {size} MB",
  "settings.model.cancel": "Cancel the download",
  "settings.model.progress": "{done} of {total} MB",
  "settings.model.progressLabel": "Download of {name}",
  "settings.model.bundled": "comes with Inklings",
  "settings.model.size": "{size, number} MB",
  "settings.model.dimension": "{dimension, number} dimensions",
  "settings.model.done": "{name} is installed.",
  "settings.model.failed": "The download failed. What arrived is kept, so trying again goes on from there.",
  "settings.model.cancelled": "The download was cancelled.",
  "settings.model.using": "Now using {name}. Memories are read again in the background.",
  "settings.model.folder": "Use a folder…",
  "settings.model.folderTitle": "Use a model folder",
  "settings.model.folderBody":
    "For a computer that stays offline. The folder holds model.onnx, tokenizer.json, config.json, special_tokens_map.json and tokenizer_config.json.",
  "settings.model.folderPath": "Full path of the folder",
  "settings.model.folderDo": "Use this folder",
  "settings.model.folderDone": "The model from your folder is in use.",

  "settings.chat.title": "Language model",
  "settings.chat.body":
    "Who answers in conversations. Everything else works without one: what you write is kept, found and remembered.",
  "settings.chat.none": "None is connected. Nothing is sent anywhere.",
  "settings.chat.connected": "{model} at {address} answers.",
  "settings.chat.preset": "Service",
  "settings.chat.own": "Another address",
  "settings.chat.address": "Address",
  "settings.chat.stays": "This address is on this computer: conversations stay here.",
  "settings.chat.leaves":
    "This address is not on this computer. What you say in conversations, and the memories the World Agent is shown, are sent there.",
  "settings.chat.model": "Model",
  "settings.chat.models": "Models at this address",
  "settings.chat.choose": "Choose…",
  "settings.chat.context": "Context, in tokens",
  "settings.chat.summaryModel": "Model for summaries",
  "settings.chat.summaryModelHint":
    "A smaller, faster model at the same address. If it does not answer, the model above takes its place. Empty: the model above.",
  "settings.chat.key": "Key",
  "settings.chat.keyOptional": "Key, if it asks for one",
  "settings.chat.keyThere": "A key is kept. Write a new one to replace it.",
  "settings.chat.keyPlace": "Kept in {place}, and never shown again.",
  "settings.chat.keyForget": "Forget the key",
  "settings.chat.keyForgotten": "The key is gone.",
  "settings.chat.save": "Save",
  "settings.chat.test": "Test",
  "settings.chat.testing": "Testing…",
  "settings.chat.disconnect": "Disconnect",
  "settings.chat.saved": "{model} answers from now on.",
  "settings.chat.disconnected": "Disconnected. Nobody answers now.",
  "settings.chat.answered":
    "It answers, in {ms} ms. {count, plural, =0 {It names no models.} one {# model.} other {# models.}}",
  "command.orientation": "Set what the World Agent is shown",
  "command.tidy": "Set how memory is consolidated",
  "command.chat": "Connect a language model",

  "settings.conversation.title": "Conversations",
  "settings.conversation.body": "How much of what is said is kept, and how much the World Agent is shown.",
  "settings.conversation.keepOnlySummaries": "Keep only summaries",
  "settings.conversation.keepOnlySummariesOff":
    "Off: what is summarised stays as it was said. On: once summarised, the words themselves are deleted for good.",
  "settings.conversation.keepOnlySummariesOn":
    "On: once summarised, the words themselves are deleted for good. They cannot be searched or brought back.",
  "settings.conversation.compactAtTokens": "Compact a conversation at",
  "settings.conversation.compactAtTokensBody": "Tokens. Longer ones have their older part summarised.",
  "settings.conversation.retainTurns": "Turns kept as they are",
  "settings.conversation.summariseEveryHours": "Hours between summaries",
  "settings.conversation.summariseEveryHoursBody":
    "How often Inklings looks for turns older than a month in conversations that have ended.",
  "settings.conversation.retainTurnsBody": "The newest ones, which a summary never touches.",
  "settings.conversation.workingMemoryCap": "Working memory",
  "settings.conversation.workingMemoryCapBody": "How many of the latest messages are held at hand.",
  "settings.conversation.between": "Between {min, number} and {max, number}, please.",

  "settings.orient.title": "Orientation",
  "settings.orient.body":
    "What the World Agent is shown before each answer. Named entries come first and whole; what they leave is shared out among the layers, and what one layer does not use flows on to the next.",
  "settings.orient.budget": "Token budget",
  "settings.orient.budgetBody": "0 takes a third of what the language model reads.",
  "settings.orient.named": "Share of named entries, in percent",
  "settings.orient.namedBody":
    "VOICE and SOUL are always shown in full. Other named entries that find no room compete with the memories.",
  "settings.orient.shares": "Shares of what named entries leave",
  "settings.orient.share": "{layer}: share",
  "settings.orient.noShare": "At least one layer needs a share.",
  "settings.orient.refine": "Second look",
  "settings.orient.refineBody":
    "Drops what matches the words of a question but has little to do with it. What was dropped stays listed in the ledger of each turn.",

  "settings.tidy.title": "Consolidation",
  "settings.tidy.body":
    "Tidies what the World Agent wrote: merges what says the same, keeps what proves itself, lets the rest fade. What is yours is never touched; about that it only makes proposals. Each run can be taken back.",
  "settings.tidy.automatic": "By itself",
  "settings.tidy.automaticBody": "Off: only when you ask for it, in Activity.",
  "settings.tidy.idleMinutes": "After quiet minutes",
  "settings.tidy.idleMinutesBody": "Minutes without a word or a write.",
  "settings.tidy.channelDepth": "After new memories of channels",
  "settings.tidy.channelDepthBody":
    "How many may gather in this tier before it is tidied all the same. Memories of a conversation are tidied when one ends.",
  "settings.tidy.workspaceDepth": "After new memories of the world",
  "settings.tidy.workspaceDepthBody": "How many may gather in the workspace tier.",
  "settings.tidy.accountDepth": "After new memories of the account",
  "settings.tidy.accountDepthBody": "How many may gather in the account tier.",
  "settings.tidy.revisionDepth": "After changes to canon",
  "settings.tidy.revisionDepthBody":
    "How many of your memories you may change before all the others are compared with them.",
  "settings.tidy.cap": "At most, in each tier",
  "settings.tidy.capBody":
    "The least relevant of the World Agent's own beyond it are forgotten. 0: no limit.",
  "settings.tidy.rewrite": "Rewriting",
  "settings.tidy.rewriteBody":
    "Tells what belongs together in one text, by the language model if one is connected. A text that would lose a name, a number or a “not” becomes a proposal.",
  "settings.tidy.instructions": "Instructions for rewriting",
  "settings.tidy.instructionsBody":
    "What the language model is asked to do. A text is checked afterwards, whatever the instructions are.",
  "settings.tidy.instructionsReset": "Use the standard",
  "settings.tidy.open": "See what it would do now",

  "settings.data.title": "Your data",
  "settings.data.body":
    "Plain SQLite files on this computer. Copy the folder and you have copied everything.",
  "settings.data.folder": "Data folder",
  "settings.data.logs": "Log folder",
  "settings.data.logsBody": "Logs never hold the text of a memory.",
  "settings.data.copy": "Copy the path",
  "settings.data.about": "About",
  "settings.data.version": "Inklings {version}, SQLite {sqlite}",

  "command.copyDataDir": "Copy the path of the data folder",
  "command.embedNow": "Catch up on finding by meaning",
  "command.useModel": "Use model: {name}",
  "command.decay": "Fading: {preset}",
  "command.searchOrder": "Order of search results: {name}",
} as const;
