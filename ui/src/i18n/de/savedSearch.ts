import type { savedSearch as english } from "../en/savedSearch";

export const savedSearch: Record<keyof typeof english, string> = {
  "saved.title": "Gespeicherte Suchen",
  "saved.new": "Diese Suche speichern als",
  "saved.save": "Diese Suche speichern …",
  "saved.saveDo": "Speichern",
  "saved.done": "Gespeichert als „{name}“.",
  "saved.as": "Gespeichert als „{name}“.",
  "saved.nothing": "Suchen oder filtern und hier unter einem Namen speichern.",
  "saved.query": "„{text}“",
  "saved.lens": "Aus der Sicht von jemandem",
  "saved.name": "Name",
  "saved.taken": "Eine andere gespeicherte Suche heißt so.",
  "saved.actions": "Aktionen für {name}",
  "saved.rename": "Umbenennen …",
  "saved.renameDo": "Umbenennen",
  "saved.up": "Nach oben",
  "saved.down": "Nach unten",
  "saved.remove": "Löschen",
  "saved.removed": "Die gespeicherte Suche „{name}“ wurde gelöscht.",
  "saved.moved": "{name} ist Nummer {place} von {count}.",
  "saved.command": "Gespeicherte Suche: {name}",
};
