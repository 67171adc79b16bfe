import type { appearance as english } from "../en/appearance";

export const appearance: Record<keyof typeof english, string> = {
  "settings.look.language": "Sprache",
  "settings.look.languageBody": "Die Sprache des Fensters. Eigene Texte bleiben, wie sie sind.",
  "language.system": "Wie das System",

  "settings.look.zoom": "Zoom",
  "settings.look.zoomBody": "Alles im Fenster größer oder kleiner.",
  "settings.look.zoomIn": "Vergrößern",
  "settings.look.zoomOut": "Verkleinern",
  "settings.look.zoomReset": "Zurück auf {percent}",

  "settings.look.textSize": "Schriftgröße",
  "settings.look.textSizeBody": "Der Text von Erinnerungen, Seiten und Gesprächen.",
  "textSize.small": "Klein",
  "textSize.normal": "Normal",
  "textSize.large": "Groß",
  "textSize.larger": "Größer",

  "settings.look.readingWidth": "Lesebreite",
  "settings.look.readingWidthBody": "Wie lang die Zeilen eines Textes sein dürfen.",
  "readingWidth.narrow": "Schmal",
  "readingWidth.normal": "Normal",
  "readingWidth.wide": "Breit",

  "settings.look.spelling": "Rechtschreibprüfung",
  "settings.look.spellingBody": "Markiert Fehler beim Schreiben. Die Wörterbücher stellt das System.",
  "spelling.off": "Aus",
  "spelling.window": "Wie das Fenster",

  "command.language": "Sprache: {language}",
  "command.zoomIn": "Vergrößern",
  "command.zoomOut": "Verkleinern",
  "command.zoomReset": "Zoom zurücksetzen",
  "command.textSize": "Schriftgröße: {size}",
  "command.readingWidth": "Lesebreite: {width}",
  "command.spelling": "Rechtschreibprüfung: {language}",

  "text.quoted": "„{text}“",
};
