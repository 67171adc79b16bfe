import type { settings as english } from "../en/settings";

export const settings: Record<keyof typeof english, string> = {
  "settings.title": "Einstellungen",

  "settings.look.title": "Darstellung",
  "settings.look.theme": "Farbschema",
  "settings.look.themeBody": "Papier am Tag, Tinte bei Nacht.",

  "settings.memory.title": "Gedächtnis",
  "settings.memory.on": "In dieser Welt erinnern",
  "settings.memory.onBody":
    "World Agent, Hintergrundarbeit und KI-Programme fügen Erinnerungen hinzu, soweit es ihnen erlaubt ist.",
  "settings.memory.offBody":
    "Aus: Neue Erinnerungen entstehen nur von Hand. Vorhandene bleiben und lassen sich suchen und bearbeiten.",

  "settings.decay.title": "Wie Erinnerungen verblassen",
  "settings.decay.body":
    "Die Relevanz sinkt, solange eine Erinnerung nicht gebraucht wird; beim Abruf tritt sie dann zurück. Gelöscht wird dadurch nichts: Die Suche findet immer alles.",
  "settings.decay.preset": "Tempo",
  "settings.decay.steady": "Stetig",
  "settings.decay.steadyBody": "Langsam, für Arbeit mit wochenlangen Pausen.",
  "settings.decay.brisk": "Zügig",
  "settings.decay.briskBody": "Neues zuerst. Gesprächsnotizen verblassen nicht.",
  "settings.decay.custom": "Eigenes",
  "settings.decay.customBody": "Eigenes Tempo je Ebene.",
  "settings.decay.half": "Halbiert in",
  "settings.decay.days": "Tagen",
  "settings.decay.none": "Verblasst nicht",
  "settings.decay.rate": "{rate} pro Stunde",
  "settings.decay.halfLife": "halbiert in {days, plural, one {# Tag} other {# Tagen}}",
  "settings.decay.halfLifeHours": "halbiert in {hours, plural, one {# Stunde} other {# Stunden}}",
  "settings.decay.week": "{percent} nach einer Woche",
  "settings.decay.halfLabel": "{tier}: Tage, bis die Hälfte bleibt",
  "settings.decay.chart": "Was von einer Erinnerung nach 60 Tagen ohne Gebrauch bleibt, je Ebene",
  "settings.decay.axisDays": "Tage ohne Gebrauch",
  "settings.decay.pause": "Bei Abwesenheit anhalten",
  "settings.decay.pauseBody":
    "Tage, an denen diese Welt nicht geöffnet wird, zählen nicht. Ein langer Urlaub kostet nichts.",
  "settings.decay.authors": "Auch selbst Geschriebenes verblasst",
  "settings.decay.authorsBody":
    "Aus: Selbst geschriebene Erinnerungen behalten ihr Gewicht, bis sie geändert werden.",
  "settings.decay.invalid": "Möglich sind eine Stunde bis 50 Jahre.",
  "settings.decay.table": "Verblassen je Ebene",

  "settings.search.title": "Reihenfolge der Suchergebnisse",
  "settings.search.body":
    "Wie Funde nach Wörtern und nach Bedeutung zu einer Liste werden: in der eigenen Suche, in der des World Agent und der KI-Programme und in dem, was der Agent sieht.",
  "settings.search.additive": "Nach Punkten",
  "settings.search.additiveBody": "Zählt zusammen, wie gut Wörter, Bedeutung und Umgebung passen.",
  "settings.search.rrf": "Nach Rang (RRF)",
  "settings.search.rrfBody":
    "Zählt nur die Plätze in den Listen nach Wörtern und nach Bedeutung, nicht die Abstände dazwischen.",

  "settings.model.title": "Suche nach Bedeutung",
  "settings.model.body":
    "Ein kleines Modell auf diesem Computer macht aus jeder Erinnerung einen Punkt. So findet die Suche, was gemeint ist, und nicht nur, was geschrieben steht. Nichts verlässt diesen Rechner.",
  "settings.model.state.ready": "Bereit",
  "settings.model.state.loading": "Startet",
  "settings.model.state.missing": "Nicht installiert",
  "settings.model.state.downloading": "Wird heruntergeladen",
  "settings.model.state.failed": "Nicht gestartet",
  "settings.model.state.text_only": "Nur Wörter",
  "settings.model.embedded":
    "{done, number} von {total, plural, one {# Erinnerung} other {# Erinnerungen}} nach Bedeutung auffindbar",
  "settings.model.allEmbedded":
    "{total, plural, one {# Erinnerung} other {# Erinnerungen}}, alle nach Bedeutung auffindbar",
  "settings.model.embedNow": "Jetzt nachholen",
  "settings.model.embedProgress": "Fortschritt der Auffindbarkeit nach Bedeutung",
  "settings.model.textOnly":
    "Ohne Modell geht die Suche nach Wörtern: genau und schnell, aber „Kai“ findet nicht „Hafen“. Alles andere geht wie sonst, und die Bedeutung kommt hinzu, sobald ein Modell da ist.",
  "settings.model.list": "Modelle",
  "settings.model.active": "In Gebrauch",
  "settings.model.use": "Verwenden",
  "settings.model.useNamed": "{name} verwenden",
  "settings.model.download": "Herunterladen",
  "settings.model.downloadNamed": "{name} herunterladen, {size} MB",
  "settings.download.cancel": "Download abbrechen",
  "settings.download.progress": "{done} von {total} MB",
  "settings.download.done": "{done} MB",
  "settings.download.label": "Download von {name}",
  "settings.model.bundled": "wird mit Inklings geliefert",
  "settings.model.size": "{size, number} MB",
  "settings.model.dimension": "{dimension, number} Dimensionen",
  "settings.model.done": "{name} ist installiert.",
  "settings.model.failed":
    "Der Download ist fehlgeschlagen. Was angekommen ist, bleibt; ein neuer Versuch macht dort weiter.",
  "settings.download.cancelled": "Der Download wurde abgebrochen.",
  "settings.model.using": "{name} ist jetzt in Gebrauch. Die Erinnerungen werden im Hintergrund neu gelesen.",
  "settings.model.own": "Eigenes Modell für diese Welt",
  "settings.model.ownBody":
    "Diese Welt behält das hier gewählte Modell, gleich was die anderen verwenden. Aus: Alle Welten ohne eigenes Modell verwenden dasselbe.",
  "settings.model.folder": "Ordner verwenden …",
  "settings.model.folderTitle": "Ordner mit Modell verwenden",
  "settings.model.folderBody":
    "Für einen Computer, der offline bleibt. Der Ordner enthält model.onnx, tokenizer.json, config.json, special_tokens_map.json und tokenizer_config.json.",
  "settings.model.folderPath": "Vollständiger Pfad des Ordners",
  "settings.model.folderDo": "Diesen Ordner verwenden",
  "settings.model.folderDone": "Das Modell aus dem Ordner ist in Gebrauch.",

  "settings.chat.title": "Sprachmodell",
  "settings.chat.body":
    "Wer in Gesprächen antwortet. Alles andere geht auch ohne: Geschriebenes wird behalten, gefunden und erinnert.",
  "settings.chat.none": "Keines ist verbunden. Nichts wird irgendwohin gesendet.",
  "settings.chat.running":
    "{count, plural, one {{name} läuft auf diesem Rechner und hat # Modell.} other {{name} läuft auf diesem Rechner und hat # Modelle.}}",
  "settings.chat.runningModels": "Modelle von {name}",
  "settings.chat.connect": "Verbinden",
  "settings.chat.connected": "{model} unter {address} antwortet.",
  "settings.chat.preset": "Dienst",
  "settings.chat.own": "Andere Adresse",
  "settings.chat.address": "Adresse",
  "settings.chat.stays": "Diese Adresse liegt auf diesem Computer: Gespräche bleiben hier.",
  "settings.chat.leaves":
    "Diese Adresse liegt nicht auf diesem Computer. Gespräche und die Erinnerungen, die der World Agent sieht, werden dorthin gesendet.",
  "settings.chat.model": "Modell",
  "settings.chat.models": "Modelle unter dieser Adresse",
  "settings.chat.choose": "Auswählen …",
  "settings.chat.context": "Kontext in Token",
  "settings.chat.summaryModel": "Modell für Zusammenfassungen",
  "settings.chat.summaryModelHint":
    "Ein kleineres, schnelleres Modell unter derselben Adresse. Antwortet es nicht, springt das obige ein. Leer: das obige.",
  "settings.chat.key": "Schlüssel",
  "settings.chat.keyOptional": "Schlüssel, falls verlangt",
  "settings.chat.keyThere": "Ein Schlüssel ist hinterlegt. Ein neuer ersetzt ihn.",
  "settings.chat.keyPlace": "Wird aufbewahrt in: {place}. Danach wird er nie mehr angezeigt.",
  "settings.chat.keyForget": "Schlüssel entfernen",
  "settings.chat.keyForgotten": "Der Schlüssel ist weg.",
  "settings.chat.save": "Speichern",
  "settings.chat.test": "Testen",
  "settings.chat.testing": "Wird getestet …",
  "settings.chat.disconnect": "Trennen",
  "settings.chat.saved": "Ab jetzt antwortet {model}.",
  "settings.chat.disconnected": "Getrennt. Jetzt antwortet niemand.",
  "settings.chat.answered":
    "Antwort nach {ms} ms. {count, plural, =0 {Keine Modelle genannt.} one {# Modell.} other {# Modelle.}}",
  "command.orientation": "Festlegen, was der Agent sieht",
  "command.tidy": "Aufräumen einstellen",
  "command.chat": "Sprachmodell verbinden",

  "settings.tokens.title": "Verbrauchte Tokens",
  "settings.tokens.body":
    "Was Modelle in den letzten {days} Tagen in allen Welten gelesen und geschrieben haben, nach Tag (UTC) und Modell.",
  "settings.tokens.none": "Noch hat kein Modell geantwortet.",
  "settings.tokens.day": "Tag",
  "settings.tokens.model": "Modell",
  "settings.tokens.input": "Gelesen",
  "settings.tokens.output": "Geschrieben",
  "settings.tokens.answers": "Antworten",
  "settings.tokens.sum": "Zusammen",
  "settings.tokens.unreported": "{count, plural, one {# ohne Zählung} other {# ohne Zählung}}",
  "settings.conversation.title": "Gespräche",
  "settings.conversation.body": "Wie viel vom Gesagten bleibt und wie viel davon der World Agent sieht.",
  "settings.conversation.keepOnlySummaries": "Nur Zusammenfassungen behalten",
  "settings.conversation.keepOnlySummariesOff":
    "Aus: Zusammengefasstes bleibt auch im Wortlaut. Ein: Nach dem Zusammenfassen wird der Wortlaut endgültig gelöscht.",
  "settings.conversation.keepOnlySummariesOn":
    "Ein: Nach dem Zusammenfassen wird der Wortlaut endgültig gelöscht. Er lässt sich nicht mehr suchen oder zurückholen.",
  "settings.conversation.compactAtTokens": "Gespräche verdichten ab",
  "settings.conversation.compactAtTokensBody":
    "Token. Bei längeren Gesprächen wird der ältere Teil zusammengefasst.",
  "settings.conversation.retainTurns": "Beiträge im Wortlaut",
  "settings.conversation.modelTitles": "Titel vom Modell",
  "settings.conversation.modelTitlesBody":
    "Nach der ersten Antwort gibt das Modell dem Gespräch einen Titel, außer es hat schon einen eigenen. Sonst sind die ersten Worte der Titel.",
  "settings.conversation.summariseEveryHours": "Stunden zwischen Zusammenfassungen",
  "settings.conversation.summariseEveryHoursBody":
    "Wie oft in beendeten Gesprächen nach Beiträgen gesucht wird, die älter als ein Monat sind.",
  "settings.conversation.retainTurnsBody": "Die neuesten, die keine Zusammenfassung berührt.",
  "settings.conversation.workingMemoryCap": "Arbeitsgedächtnis",
  "settings.conversation.workingMemoryCapBody": "Wie viele der letzten Nachrichten bereitgehalten werden.",
  "settings.conversation.between": "Möglich sind {min, number} bis {max, number}.",

  "settings.orient.title": "Was der Agent sieht",
  "settings.orient.body":
    "Was der World Agent vor jeder Antwort sieht. Was immer präsent ist, kommt zuerst und ganz; der Rest wird auf die Schichten verteilt, und was eine nicht braucht, fließt zur nächsten.",
  "settings.orient.budget": "Token-Budget",
  "settings.orient.budgetBody": "0 nimmt ein Drittel dessen, was das Sprachmodell liest.",
  "settings.orient.named": "Anteil von „Immer präsent“, in Prozent",
  "settings.orient.namedBody":
    "VOICE und SOUL werden immer ganz gezeigt. Andere Einträge ohne Platz treten gegen die Erinnerungen an.",
  "settings.orient.shares": "Anteile am übrigen Budget",
  "settings.orient.share": "{layer}: Anteil",
  "settings.orient.noShare": "Mindestens eine Schicht braucht einen Anteil.",
  "settings.orient.refine": "Zweiter Blick",
  "settings.orient.refineBody":
    "Verwirft schwache Treffer, die nur in den Wörtern zur Frage passen. Verworfenes bleibt in der Liste jedes Beitrags sichtbar.",

  "settings.tidy.title": "Aufräumen",
  "settings.tidy.body":
    "Räumt auf, was der World Agent geschrieben hat: führt Gleiches zusammen, behält Bewährtes, lässt den Rest verblassen. Selbst Geschriebenes wird nie angerührt, dazu gibt es nur Vorschläge. Jeder Lauf lässt sich zurücknehmen.",
  "settings.tidy.automatic": "Automatisch",
  "settings.tidy.automaticBody": "Aus: nur auf Wunsch, unter „Aktivität“.",
  "settings.tidy.idleMinutes": "Nach ruhigen Minuten",
  "settings.tidy.idleMinutesBody": "Minuten ohne Nachricht und ohne Änderung.",
  "settings.tidy.channelDepth": "Nach neuen Erinnerungen in Kanälen",
  "settings.tidy.channelDepthBody":
    "Wie viele sich in dieser Ebene sammeln dürfen, bevor trotzdem aufgeräumt wird. Erinnerungen eines Gesprächs werden an dessen Ende aufgeräumt.",
  "settings.tidy.workspaceDepth": "Nach neuen Erinnerungen der Welt",
  "settings.tidy.workspaceDepthBody": "Wie viele sich in der Ebene „Welt“ sammeln dürfen.",
  "settings.tidy.accountDepth": "Nach neuen Erinnerungen des Kontos",
  "settings.tidy.accountDepthBody": "Wie viele sich in der Ebene „Konto“ sammeln dürfen.",
  "settings.tidy.revisionDepth": "Nach Änderungen am Kanon",
  "settings.tidy.revisionDepthBody":
    "Wie viele eigene Erinnerungen sich ändern dürfen, bevor alle anderen damit verglichen werden.",
  "settings.tidy.cap": "Höchstens, je Ebene",
  "settings.tidy.capBody":
    "Von dem, was der World Agent geschrieben hat, wird das Überzählige mit der geringsten Relevanz vergessen. 0: ohne Grenze.",
  "settings.tidy.rewrite": "Neu schreiben",
  "settings.tidy.rewriteBody":
    "Fasst zusammengehörige Erinnerungen in einem Text zusammen, mit dem Sprachmodell, falls eines verbunden ist. Ginge ein Name, eine Zahl oder ein „nicht“ verloren, wird daraus ein Vorschlag.",
  "settings.tidy.instructions": "Anweisungen zum Neuschreiben",
  "settings.tidy.instructionsBody":
    "Was vom Sprachmodell verlangt wird. Der Text wird danach geprüft, wie auch immer die Anweisungen lauten.",
  "settings.tidy.instructionsReset": "Standard verwenden",
  "settings.tidy.closeBody":
    "{count, plural, one {Anweisungen zum Neuschreiben ließen sich nicht speichern.} other {Anweisungen zum Neuschreiben in # Welten ließen sich nicht speichern.}}",
  "settings.tidy.open": "Zeigen, was jetzt geschehen würde",

  "settings.data.title": "Eigene Daten",
  "settings.data.body":
    "Einfache SQLite-Dateien auf diesem Computer. Eine Kopie des Ordners ist eine Kopie von allem.",
  "settings.data.folder": "Datenordner",
  "settings.data.logs": "Protokollordner",
  "settings.data.logsBody": "Protokolle enthalten nie den Text einer Erinnerung.",
  "settings.data.copy": "Pfad kopieren",
  "settings.data.about": "Über Inklings",
  "settings.data.version": "Inklings {version}, SQLite {sqlite}",

  "settings.update.title": "Aktualisierungen",
  "settings.update.none":
    "In diesem Build nicht eingerichtet: Es fehlen eine Adresse und ein Schlüssel, mit dem sich eine neue Version prüfen ließe. Nichts wird abgefragt.",
  "settings.update.body": "Abgefragt wird nur auf Wunsch, und nur diese Adresse: {address}",
  "settings.update.check": "Jetzt nachsehen",
  "settings.update.checking": "Wird nachgesehen …",
  "settings.update.newest": "Es gibt keine neuere Version als {version}.",
  "settings.update.found": "Version {version} ist verfügbar.",
  "settings.update.see": "Einstellungen zeigen",
  "settings.update.install": "Version {version} installieren …",
  "settings.update.installing": "Wird installiert …",
  "settings.update.confirmTitle": "Inklings {version} installieren?",
  "settings.update.confirmBody":
    "Das Paket wird von {host} geladen und seine Signatur geprüft. Dann wird alles gesichert und diese Version ersetzt. Das System fragt dabei vielleicht nach dem Passwort.",
  "settings.update.confirm": "Installieren",
  "settings.update.done": "Version {version} ist installiert. Nach dem nächsten Start läuft sie.",
  "settings.update.atStart": "Beim Start von Inklings nachsehen",
  "settings.update.atStartBody":
    "Eine Anfrage an die Adresse oben bei jedem Start. Nichts wird von selbst installiert.",

  "command.copyDataDir": "Pfad des Datenordners kopieren",
  "command.embedNow": "Auffindbarkeit nach Bedeutung nachholen",
  "command.useModel": "Modell verwenden: {name}",
  "command.decay": "Verblassen: {preset}",
  "command.searchOrder": "Reihenfolge der Suchergebnisse: {name}",
  "settings.sections": "Abschnitte der Einstellungen",
  "settings.find": "Einstellung suchen",
  "settings.findHint": "Durchsuchen",
  "settings.found":
    "{count, plural, =0 {Keine Einstellung gefunden} one {# Einstellung gefunden} other {# Einstellungen gefunden}}",
  "settings.foundNone": "Keine Einstellung hat diese Wörter. Weniger oder andere Wörter helfen.",
  "settings.data.backups": "Sicherungen verwalten",
};
