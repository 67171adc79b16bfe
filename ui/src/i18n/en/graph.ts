export const graph = {
  "command.goGraph": "Go to the graph of subjects",

  "graph.look": "How subjects are shown",
  "graph.look.list": "List",
  "graph.look.graph": "Graph",
  "graph.look.facts": "Facts",
  "graph.show": "Show in the graph",
  "graph.label":
    "Graph of {nodes, plural, one {# subject} other {# subjects}} and {edges, plural, one {# relation} other {# relations}}",
  "graph.keys":
    "Arrow keys move from a subject to its neighbours. Enter opens its page. Plus and minus zoom, 0 shows all of it.",
  "graph.legend": "Kinds in the graph",
  "graph.panel": "The graph as text",
  "graph.hint":
    "Select a subject to see its relations. Double-click it to see only what is around it. Drag to move, scroll to zoom. Arrow keys go from neighbour to neighbour.",
  "graph.selected":
    "{name}, {kind}. {count, plural, =0 {No relations} one {# relation} other {# relations}}.",
  "graph.open": "Open its page",
  "graph.isPage": "a page of a linked folder",
  "graph.pageLink": "links to",
  "graph.around": "Around it",
  "graph.aroundOf": "Around {name}",
  "graph.whole": "Show everything",
  "graph.relations": "{count, plural, =0 {No relations} one {# relation} other {# relations}}",
  "graph.table": "Relations in the graph",
  "graph.from": "From",
  "graph.relation": "Relation",
  "graph.to": "To",
  "graph.moreRows": "Show more: {count, number} are left",
  "graph.more": "There are more relations than the graph can show. It shows the most important ones.",
  "graph.noRelations": "No subjects are related yet. Open the page of a subject and choose “Add a relation”.",
  "graph.nothing.title": "Nothing to show here",
  "graph.nothing.body": "The chosen kinds, or the subject in the middle, leave nothing to show.",
  "graph.nothing.lens": "They know of no subject that would be shown here.",
} as const;
