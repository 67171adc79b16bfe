import type { desktop as english } from "../en/desktop";

export const desktop: Record<keyof typeof english, string> = {
  "window.open": "In neuem Fenster öffnen",
  "window.whole": "Ganzes Fenster zeigen",
  "window.worldChanged": "Ein anderes Fenster hat zu {name} gewechselt.",

  "link.copy": "Link kopieren",
  "link.copied": "Link kopiert.",
  "link.refused": "Dieser Link führt nirgendwohin.",
  "link.refused.not_a_link": "Es ist kein Link zu Inklings.",
  "link.refused.too_long": "Er ist zu lang.",
  "link.refused.unknown_target": "Er nennt nichts, was ein Link zeigen kann.",
  "link.refused.bad_reference": "Was er nennt, fehlt oder ist falsch geschrieben.",
  "link.refused.unknown_part": "Er hat einen Teil, den kein Link von Inklings hat.",
  "link.otherWorld": "Die Welt {name} öffnen?",
  "link.otherWorldBody": "Der Link führt dorthin. Jetzt ist {name} geöffnet.",
  "link.otherWorldDo": "Öffnen",
  "link.noWorld": "Die Welt dieses Links ist nicht da",
  "link.noWorldBody": "Sie wurde gelöscht oder ist auf einem anderen Computer.",
  "link.damagedWorld": "{name} ist beschädigt und lässt sich nicht öffnen.",

  "capture.title": "Schnellnotiz",
  "capture.world": "Welt",
  "capture.keys": "Strg+Enter speichert",
  "capture.closeBody": "Der Text hier ist nicht gespeichert.",

  "tray.open": "Inklings öffnen",
  "tray.pause": "Gedächtnis in {world} anhalten",
  "tray.resume": "Gedächtnis in {world} fortsetzen (angehalten)",
  "tray.quit": "Inklings beenden",

  "settings.desktop.title": "Desktop",
  "settings.desktop.body": "Für diesen Computer, gleich welche Welt geöffnet ist.",
  "settings.desktop.browser": "Änderbar im eigenen Fenster von Inklings.",
  "settings.desktop.capture": "Schnellnotiz",
  "settings.desktop.captureBody":
    "Eine Taste, die aus jedem Programm ein kleines Fenster für eine Erinnerung öffnet.",
  "settings.desktop.captureOn": "Taste für die Schnellnotiz verwenden",
  "settings.desktop.change": "Taste ändern",
  "settings.desktop.press": "Neue Taste drücken, oder Esc",
  "settings.desktop.tray": "Inklings in der Taskleiste behalten",
  "settings.desktop.trayBody":
    "Nach dem Schließen des letzten Fensters läuft Inklings weiter. Das Symbol in der Taskleiste beendet es.",
  "settings.desktop.problem.wayland":
    "Diese Oberfläche (Wayland) gibt Programmen keine eigenen Tasten. In ihren Tastatureinstellungen eine Taste anlegen, die startet: inklings-desktop --capture",
  "settings.desktop.problem.unusable":
    "Diese Taste wird zum Schreiben gebraucht. Eine mit Strg oder Alt wählen.",
  "settings.desktop.problem.taken": "Ein anderes Programm verwendet diese Taste. Eine andere wählen.",
  "settings.desktop.problem.refused": "Das System gibt Inklings diese Taste nicht. Eine andere wählen.",
  "settings.desktop.problem.no_tray":
    "Diese Oberfläche zeigt keine Symbole von Programmen. Das Schließen des letzten Fensters beendet Inklings weiterhin.",
  "settings.desktop.problem.no_library":
    "Dafür fehlt das Paket libayatana-appindicator3-1, das nicht installiert ist.",
  "settings.desktop.problem.tray_refused": "Das System hat Inklings nicht in die Taskleiste aufgenommen.",

  "settings.data.open": "Ordner öffnen",
  "settings.data.open.data": "Datenordner öffnen",
  "settings.data.open.logs": "Ordner der Protokolle öffnen",
  "settings.data.open.backups": "Ordner der Sicherungen öffnen",
};
