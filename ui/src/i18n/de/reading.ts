import type { reading as english } from "../en/reading";

export const reading: Record<keyof typeof english, string> = {
  "reading.title": "Leseansicht",
  "reading.read": "Lesen",
  "reading.list": "Liste als einen Text lesen",
  "reading.selected": "Auswahl als einen Text lesen",
  "reading.print": "Drucken",
  "reading.open": "Öffnen",
  "reading.openFor": "„{name}“ öffnen",
  "reading.source": "{who}, {when}",
  "reading.from": "aus {sources}",
  "reading.cut":
    "Das sind die ersten {most} in der Reihenfolge der Liste. Andere durch Filtern oder Auswählen lesen.",
  "reading.cutOf":
    "Das sind die ersten {most} von {total} in der Reihenfolge der Liste. Andere durch Filtern oder Auswählen lesen.",
  "reading.missing":
    "{count, plural, one {# ausgewählte ist nicht mehr da oder verborgen.} other {# ausgewählte sind nicht mehr da oder verborgen.}}",
  "reading.none": "Hier gibt es nichts zu lesen",
  "reading.noneBody": "Von dieser Liste ist keine Erinnerung übrig. Zurückgehen und andere auswählen.",
};
