import type { appearance as english } from "../en/appearance";

export const appearance: Record<keyof typeof english, string> = {
  "settings.look.language": "Sprache",
  "settings.look.languageBody": "Die Sprache des Fensters. Eigene Texte bleiben, wie sie sind.",
  "language.system": "Wie das System",

  "command.language": "Sprache: {language}",

  "key.mod": "Strg",
  "key.shift": "Umschalt",
  "key.enter": "Enter",
  "key.delete": "Entf",
  "key.escape": "Esc",
  "key.space": "Leertaste",
  "key.home": "Pos1",
  "key.end": "Ende",
};
