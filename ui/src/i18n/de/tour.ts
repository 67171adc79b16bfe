import type { tour as english } from "../en/tour";

export const tour: Record<keyof typeof english, string> = {
  "command.tour": "Rundgang beginnen",
  "tour.step": "{step} von {count}",
  "tour.next": "Weiter",
  "tour.done": "Fertig",
  "tour.leave": "Rundgang verlassen",
  "tour.memory.title": "Eine Erinnerung",
  "tour.memory.body":
    "Jede Zeile ist etwas, woran sich der World Agent erinnert. Geöffnet zeigt sie, woher sie kommt, und lässt sich ändern, anheften und rückgängig machen.",
  "tour.search.title": "Wiederfinden",
  "tour.search.body":
    "Einen Namen, ein paar Wörter oder das Gemeinte eingeben. Erinnerungen erscheinen beim Tippen, jede mit ihrem Grund.",
  "tour.subject.title": "Ein Thema hat eine Seite",
  "tour.subject.body":
    "Personen, Orte und Dinge haben je eine: was über sie bekannt ist, womit sie verbunden sind und wo sie vorkommen.",
  "tour.shown.title": "Was der Agent sieht",
  "tour.shown.body":
    "Neben einem Gespräch steht alles, was der Agent für seine Antwort gesehen hat, und was warum wegblieb.",
  "tour.access.title": "Wer lesen darf",
  "tour.access.body":
    "Nichts verlässt diesen Computer von selbst. Ein anderes KI-Programm liest nur, was ihm hier erlaubt wird, und das lässt sich jederzeit beenden.",
};
