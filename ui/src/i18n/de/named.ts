import type { named as english } from "../en/named";

export const named: Record<keyof typeof english, string> = {
  "nav.named": "Immer präsent",
  "command.goNamed": "Zu „Immer präsent“",
  "command.namedRename": "Diesen Eintrag umbenennen",
  "command.namedAlias": "Diesem Eintrag einen weiteren Namen geben",
  "command.namedRemove": "Diesen Eintrag entfernen",

  "named.list": "Immer präsent",
  "named.body": "Was der World Agent vor jeder Antwort ganz sieht. Geschrieben wird hier nur von Hand.",
  "named.new": "Neuer Eintrag",
  "named.region": "Der Eintrag {name}",
  "named.empty": "Noch nichts geschrieben",
  "named.tokens": "{count, plural, one {# Token} other {# Token}}",
  "named.edited": "bearbeitet {when}",
  "named.never": "nie beschrieben",
  "named.text": "Text von {name}",
  "named.begin": "Was soll über {name} immer bekannt sein?",
  "named.actions": "Aktionen für {name}",
  "named.history": "Verlauf und Abruf",
  "named.gone.title": "Diesen Eintrag gibt es nicht mehr",
  "named.gone.body": "Er wurde entfernt oder gehört zu einer anderen Welt. „Rückgängig“ holt ihn zurück.",
  "named.gone.draft":
    "Er wurde entfernt oder gehört zu einer anderen Welt. Das zuletzt Geschriebene ließ sich nicht speichern und steht unten.",
  "named.gone.back": "Zum ersten Eintrag",

  "named.saved": "Gespeichert",
  "named.saving": "Wird gespeichert …",
  "named.unsaved": "Nicht gespeichert: {reason}",
  "named.stale": "Nicht gespeichert: anderswo geändert",
  "named.retry": "Erneut versuchen",

  "named.aliases": "Auch genannt",
  "named.alias.add": "Namen hinzufügen",
  "named.alias.label": "Ein weiterer Name für {name}",
  "named.alias.do": "Hinzufügen",
  "named.alias.rebindTitle": "„{alias}“ für {name} verwenden?",
  "named.alias.rebindBody":
    "{problem} Danach steht der Name für {name} und nicht mehr für den anderen Eintrag.",
  "named.alias.rebindDo": "Für {name} verwenden",

  "named.name": "Name",
  "named.namePlaceholder": "Der Kairat",
  "named.tier": "Wo er gilt",
  "named.create": "Anlegen",
  "named.rename": "Umbenennen …",
  "named.renameTitle": "{name} umbenennen",
  "named.renameBody": "„{name}“ bleibt als weiterer Name: Auch darunter ist der Eintrag noch zu finden.",
  "named.renameDo": "Umbenennen",
  "named.remove": "Entfernen",

  "named.done.created": "{name} ist angelegt.",
  "named.done.renamed": "Heißt jetzt {name}.",
  "named.done.aliased": "{name} heißt jetzt auch {alias}.",
  "named.done.removed": "{name} ist vergessen, samt weiteren Namen.",
  "named.done.emptied": "{name} ist wieder leer.",
  "named.done.undone": "Rückgängig gemacht.",
  "named.done.mine": "Die eigene Version ist gespeichert, die fremde steht im Verlauf.",
  "named.done.theirs": "Die fremde Version bleibt, die eigene steht im Verlauf.",

  "named.conflict.title": "Zwei Versionen von {name}",
  "named.closeBody":
    "{count, plural, one {Ein Text ließ sich nicht speichern.} other {# Texte ließen sich nicht speichern.}} Das Geschriebene ginge verloren.",
};
