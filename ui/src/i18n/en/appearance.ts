export const appearance = {
  "settings.look.language": "Language",
  "settings.look.languageBody": "The language of the window. Your texts stay as they are.",
  "language.system": "Same as the system",

  "settings.look.zoom": "Zoom",
  "settings.look.zoomBody": "Everything in the window, larger or smaller.",
  "settings.look.zoomIn": "Zoom in",
  "settings.look.zoomOut": "Zoom out",
  "settings.look.zoomReset": "Back to {percent}",

  "settings.look.textSize": "Text size",
  "settings.look.textSizeBody": "The text of memories, pages and conversations.",
  "textSize.small": "Small",
  "textSize.normal": "Normal",
  "textSize.large": "Large",
  "textSize.larger": "Larger",

  "settings.look.readingWidth": "Reading width",
  "settings.look.readingWidthBody": "How long the lines of a text may be.",
  "readingWidth.narrow": "Narrow",
  "readingWidth.normal": "Normal",
  "readingWidth.wide": "Wide",

  "settings.look.spelling": "Spell check",
  "settings.look.spellingBody": "Marks mistakes while you write. The system has the dictionaries.",
  "spelling.off": "Off",
  "spelling.window": "Same as the window",

  "command.language": "Language: {language}",
  "command.zoomIn": "Zoom in",
  "command.zoomOut": "Zoom out",
  "command.zoomReset": "Reset the zoom",
  "command.textSize": "Text size: {size}",
  "command.readingWidth": "Reading width: {width}",
  "command.spelling": "Spell check: {language}",

  "text.quoted": "“{text}”",
} as const;
