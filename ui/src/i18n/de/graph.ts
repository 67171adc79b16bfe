import type { graph as english } from "../en/graph";

export const graph: Record<keyof typeof english, string> = {
  "command.goGraph": "Zum Graphen der Welt",

  "graph.look": "Wie die Themen gezeigt werden",
  "graph.look.list": "Liste",
  "graph.look.graph": "Graph",
  "graph.look.facts": "Fakten",
  "graph.show": "Im Graphen zeigen",
  "graph.label":
    "Graph aus {nodes, plural, one {# Thema} other {# Themen}} und {edges, plural, one {# Beziehung} other {# Beziehungen}}",
  "graph.keys":
    "Pfeiltasten führen von einem Thema zu seinen Nachbarn. Die Eingabetaste öffnet die Seite. Plus und Minus zoomen, 0 zeigt alles.",
  "graph.legend": "Arten im Graphen",
  "graph.panel": "Der Graph als Text",
  "graph.hint":
    "Ein ausgewähltes Thema zeigt seine Beziehungen, ein Doppelklick nur seine Umgebung. Ziehen verschiebt, Scrollen zoomt; Pfeiltasten führen von Nachbar zu Nachbar.",
  "graph.selected":
    "{name}, {kind}. {count, plural, =0 {Keine Beziehungen} one {# Beziehung} other {# Beziehungen}}.",
  "graph.open": "Seite öffnen",
  "graph.isPage": "eine Seite eines verknüpften Ordners",
  "graph.pageLink": "verweist auf",
  "graph.around": "Umgebung",
  "graph.aroundOf": "Umgebung von {name}",
  "graph.whole": "Die ganze Welt zeigen",
  "graph.relations": "{count, plural, =0 {Keine Beziehungen} one {# Beziehung} other {# Beziehungen}}",
  "graph.table": "Beziehungen im Graphen",
  "graph.from": "Von",
  "graph.relation": "Beziehung",
  "graph.to": "Zu",
  "graph.moreRows": "Mehr zeigen: noch {count, number}",
  "graph.more": "Es gibt mehr Beziehungen, als der Graph fasst. Er zeigt die wichtigsten.",
  "graph.noRelations":
    "Noch steht kein Thema in Beziehung zu einem anderen. Auf der Seite eines Themas „Beziehung hinzufügen“ wählen.",
  "graph.nothing.title": "Hier gibt es nichts zu zeigen",
  "graph.nothing.body": "Nach den ausgeblendeten Arten und dem Thema in der Mitte bleibt nichts übrig.",
  "graph.nothing.lens": "In dieser Sicht ist kein Thema bekannt, das hier zu zeigen wäre.",
};
