export const appearance = {
  "settings.look.language": "Language",
  "settings.look.languageBody": "The language of the window. Your texts stay as they are.",
  "language.system": "Same as the system",

  "command.language": "Language: {language}",

  "key.mod": "Ctrl",
  "key.shift": "Shift",
  "key.enter": "Enter",
  "key.delete": "Del",
  "key.escape": "Esc",
  "key.space": "Space",
  "key.home": "Home",
  "key.end": "End",
} as const;
