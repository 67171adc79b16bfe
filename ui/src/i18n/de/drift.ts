import type { drift as english } from "../en/drift";

export const drift: Record<keyof typeof english, string> = {
  "activity.tab.drift": "Widersprüche",
  "command.goDrift": "Zu den Widersprüchen",

  "drift.list": "Widersprüche",
  "drift.region": "Der Widerspruch",
  "drift.openCount": "{count, plural, one {# offener Widerspruch} other {# offene Widersprüche}}",
  "drift.state": "Stand",
  "drift.state.all": "Alle",
  "drift.state.open": "Offen",
  "drift.state.settled": "Entschieden",
  "drift.state.superseded": "Überholt",
  "drift.none.title": "Nichts widerspricht dem Kanon",
  "drift.none.body":
    "Was wahr ist, steht als Erinnerung, unter „Immer präsent“ oder als Fakt. Was später dagegen behauptet wird, erscheint hier, und hier wird entschieden, was gilt.",
  "drift.noneOf.title": "Keine davon",
  "drift.noneOf.body": "Alle Widersprüche ansehen oder die offenen.",
  "drift.gone": "Dieser Widerspruch steht nicht in der Liste",
  "drift.goneBody": "Vielleicht ist er entschieden, oder eine seiner Seiten wurde geändert.",

  "drift.title.open": "Was gilt?",
  "drift.title.superseded": "Kein Widerspruch mehr",
  "drift.found": "Gefunden {when}",
  "drift.canon": "Kanon",
  "drift.statement": "Aussage",
  "drift.writtenBy": "Geschrieben: {who}",
  "drift.setBy.user": "Von mir gesetzt",
  "drift.setBy.agent": "Vom World Agent gesetzt",
  "drift.factLine": "{category}, {key}: {value}",
  "drift.factOf": "{category}, {key}",
  "drift.openFact": "Fakten öffnen",
  "drift.message": "Nachricht",
  "drift.page": "Seite",
  "drift.openMessage": "Nachricht öffnen",
  "drift.openConversation": "Gespräch öffnen",
  "drift.wholeText": "Der ganze Text",
  "drift.whole": "Ganzen Text zeigen",
  "drift.less": "Weniger zeigen",
  "drift.side.gone": "Endgültig gelöscht.",
  "drift.side.forgotten": "Vergessen.",
  "drift.side.removed": "Dieser Fakt gilt nicht mehr.",
  "drift.side.changed": "Seit dem Vergleich geändert. Dies ist der jetzige Text.",
  "drift.changed":
    "Eine Seite wurde seit dem Vergleich geändert, daher lässt sich nichts entscheiden. Erneut prüfen.",
  "drift.changedShort": "seither geändert",
  "drift.again": "Erneut prüfen",
  "drift.superseded": "Eine Seite wurde geändert oder ist weg; zu entscheiden ist nichts.",

  "drift.decide": "Entscheidung",
  "drift.decision.canon_stands": "Kanon gilt",
  "drift.decision.canon_changes": "Kanon ändern",
  "drift.decision.both": "Beides, zu verschiedenen Zeiten",
  "drift.decision.belief": "Jemand glaubt es",
  "drift.decision.dismiss": "Kein Widerspruch",
  "drift.decision.derive_again": "Erinnerung neu ableiten",
  "drift.note.canon_stands":
    "{kind, select, fact {Der Fakt mit dem anderen Wert wird entfernt. Frühere Werte bleiben in seinem Verlauf.} message {Die Nachricht bleibt, wie sie geschrieben wurde. Nichts wird vergessen.} other {Die Aussage wird vergessen. Sie lässt sich wiederherstellen.}}",
  "drift.note.canon_changes":
    "Der Kanon bekommt einen neuen Text. Vorher ist zu sehen, was sich ändert, und er lässt sich bearbeiten.",
  "drift.note.both":
    "{kind, select, message {Der Kanon bekommt eine Zeit in der Geschichte, die Nachricht keine.} other {Beide gelten, jedes zu seiner Zeit in der Geschichte.}}",
  "drift.note.belief":
    "{kind, select, message {Was dem Kanon widerspricht, wird eine Erinnerung, die nur die Genannten kennen. Sie irren sich oder sie lügen.} other {Nur die Genannten kennen die Aussage. Sie irren sich oder sie lügen.}}",
  "drift.note.dismiss": "Nichts wird geändert. Solange beide so bleiben, kommt die Frage nicht wieder.",
  "drift.note.derive_again":
    "Was jetzt auf der Seite steht, wird als Text der Erinnerung vorgeschlagen. Der Vorschlag lässt sich annehmen oder ablehnen.",
  "drift.was.canon_stands":
    "{kind, select, fact {Der Fakt mit dem anderen Wert wurde entfernt.} message {Die Nachricht blieb, wie sie geschrieben wurde.} other {Die Aussage wurde vergessen.}}",
  "drift.was.canon_changes": "Der Kanon bekam einen neuen Text.",
  "drift.was.both":
    "{kind, select, message {Der Kanon bekam eine Zeit in der Geschichte.} other {Beide bekamen ihre Zeit in der Geschichte.}}",
  "drift.was.belief":
    "{kind, select, message {Was dem Kanon widersprach, wurde eine Erinnerung, die nur einige kennen.} other {Nur einige kennen die Aussage.}}",
  "drift.was.dismiss": "Nichts wurde geändert.",
  "drift.was.derive_again": "Der Text der Seite wurde für die Erinnerung vorgeschlagen.",
  "drift.decided": "Entschieden {when}",
  "drift.seeChange": "Änderung ansehen",
  "drift.done.canon_stands":
    "{kind, select, fact {Der Kanon gilt. Der Fakt ist entfernt.} message {Der Kanon gilt. Die Nachricht bleibt, wie sie geschrieben wurde.} other {Der Kanon gilt. Die Aussage ist vergessen.}}",
  "drift.done.canon_changes": "Der Kanon ist geändert.",
  "drift.done.both":
    "{kind, select, message {Der Kanon hat seine Zeit in der Geschichte.} other {Beide gelten, jedes zu seiner Zeit.}}",
  "drift.done.belief":
    "{kind, select, message {Eine Erinnerung ist hinzugekommen, die nur die Genannten kennen.} other {Nur die Genannten kennen die Aussage.}}",
  "drift.done.dismiss": "Entschieden. Nichts ist geändert.",
  "drift.done.derive_again": "Der Text der Seite ist für die Erinnerung vorgeschlagen.",
  "drift.undone": "Rückgängig gemacht. Der Widerspruch bleibt entschieden.",

  "drift.text": "Neuer Text des Kanons",
  "drift.value": "Neuer Wert des Kanons",
  "drift.textDiff": "Was sich ändern würde",
  "drift.textSame": "Noch nichts: Dies ist der Kanon, wie er ist.",
  "drift.closeBody":
    "{count, plural, one {Der neue Text zu einem Widerspruch ist nicht gespeichert.} other {Die neuen Texte zu # Widersprüchen sind nicht gespeichert.}}",
  "drift.fromCanon": "Vom Kanon ausgehen",
  "drift.fromStatement": "Von der Aussage ausgehen",
  "drift.changeDo": "Kanon ändern",
  "drift.canonDates": "Der Kanon gilt",
  "drift.statementDates": "Die Aussage gilt",
  "drift.noCalendar": "Zeitangaben brauchen einen Kalender. Diese Welt hat noch keinen.",
  "drift.addCalendar": "Kalender hinzufügen",
  "drift.timesDo": "Zeiten setzen",
  "drift.timeDo": "Zeit setzen",
  "drift.believers": "Mindestens jemanden nennen, der es glaubt.",
  "drift.noSubjects": "In dieser Welt gibt es noch niemanden, der es glauben könnte.",
  "drift.addSubject": "Thema hinzufügen",
  "drift.beliefDo": "Nur sie wissen es",

  "drift.claims":
    "{count, plural, one {Ein Agent behauptet einen anderen Wert} other {# andere Werte werden behauptet}}",
  "drift.claim": "Behauptung",
  "drift.claimedBy": "Von einem Agenten behauptet",
  "drift.claimedAt": "Behauptet {when}",
  "drift.decideOn": "Entscheidung über „{value}“",
  "drift.answer.keep": "Meinen behalten",
  "drift.answer.take": "Behauptung übernehmen",
  "drift.answerNote.keep": "Der Fakt bleibt, wie er gesetzt ist. Die Behauptung wird abgelehnt.",
  "drift.answerNote.take":
    "Der behauptete Wert wird der Wert des Fakts. Der bisherige bleibt in seinem Verlauf.",
};
