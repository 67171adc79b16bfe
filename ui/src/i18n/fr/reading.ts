import type { reading as english } from "../en/reading";

export const reading: Record<keyof typeof english, string> = {
  "reading.title": "Vue de lecture",
  "reading.read": "Lire",
  "reading.list": "Lire la liste comme un seul texte",
  "reading.selected": "Lire la sélection comme un seul texte",
  "reading.print": "Imprimer",
  "reading.open": "Ouvrir",
  "reading.openFor": "Ouvrir « {name} »",
  "reading.source": "{who}, {when}",
  "reading.from": "de {sources}",
  "reading.cut":
    "Voici les {most} premiers, dans l’ordre de la liste. Filtrer ou sélectionner pour en lire d’autres.",
  "reading.cutOf":
    "Voici les {most} premiers sur {total}, dans l’ordre de la liste. Filtrer ou sélectionner pour en lire d’autres.",
  "reading.missing":
    "{count, plural, one {# de la sélection n’est plus là, ou est caché.} other {# de la sélection ne sont plus là, ou sont cachés.}}",
  "reading.none": "Rien à lire ici",
  "reading.noneBody": "Il ne reste aucun souvenir de cette liste. Revenir et en choisir d’autres.",
};
