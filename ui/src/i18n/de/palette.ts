import type { palette as english } from "../en/palette";

export const palette: Record<keyof typeof english, string> = {
  "palette.recent": "Zuletzt",
  "palette.named": "Immer präsent",
  "palette.channel": "{count, plural, =0 {Kanal} one {Kanal, # Gespräch} other {Kanal, # Gespräche}}",
  "palette.channelArchived":
    "{count, plural, =0 {Archivierter Kanal} one {Archivierter Kanal, # Gespräch} other {Archivierter Kanal, # Gespräche}}",
  "palette.kind.subject": "Themen",
  "palette.kind.named": "Immer präsent",
  "palette.kind.channel": "Kanäle",
  "palette.kind.conversation": "Gespräche",
  "palette.all.memory": "Alle Treffer in den Erinnerungen",
  "palette.all.message": "Alle Treffer in den Gesprächen",
  "palette.all.page": "Alle Treffer in den Seiten",
  "palette.all.action": "Weitere Befehle",
  "palette.count": "{count, plural, =0 {Nichts gefunden.} one {# Treffer.} other {# Treffer.}}",
  "palette.setting": "Einstellungen: {section}",
  "palette.words.appearance": "Farbschema hell dunkel Farben Anzeige Schriftgröße Sprache Zoom",
  "palette.words.memory": "ein aus Schalter merken anhalten pausieren Gedächtnis",
  "palette.words.fading": "verblassen vergessen Halbwertszeit Tempo Kurve",
  "palette.words.search": "Rangfolge Reihenfolge Verfahren Relevanz",
  "palette.words.meaning": "Embedding Vektor Download semantisch Ordner",
  "palette.words.language-model": "API Schlüssel Endpunkt Ollama OpenAI Anthropic Anbieter Adresse",
  "palette.words.conversations": "verdichten ruhend Zusammenfassung Kontext Länge behalten",
  "palette.words.orientation": "Budget Token Schichten Prompt gezeigt Agent",
  "palette.words.consolidation": "aufräumen zusammenführen Dubletten Zeitplan Hintergrund",
  "palette.words.data": "Ordner Protokolle Version Info Pfad Datenträger",
};
