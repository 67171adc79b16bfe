import type { graph as english } from "../en/graph";

export const graph: Record<keyof typeof english, string> = {
  "command.goGraph": "Aller au graphe des sujets",
  "graph.look": "Affichage des sujets",
  "graph.look.list": "Liste",
  "graph.look.graph": "Graphe",
  "graph.look.facts": "Faits",
  "graph.show": "Afficher dans le graphe",
  "graph.label":
    "Graphe de {nodes, plural, one {# sujet} other {# sujets}} et {edges, plural, one {# relation} other {# relations}}",
  "graph.keys":
    "Les flèches vont d’un sujet à ses voisins. Entrée ouvre sa page. Plus et moins changent le zoom, 0 montre tout.",
  "graph.legend": "Genres du graphe",
  "graph.panel": "Le graphe en texte",
  "graph.hint":
    "Sélectionner un sujet pour voir ses relations. Double-cliquer pour ne voir que ce qui l’entoure. Glisser pour déplacer, faire défiler pour zoomer. Les flèches vont de voisin en voisin.",
  "graph.selected":
    "{name}, {kind}. {count, plural, =0 {Aucune relation} one {# relation} other {# relations}}.",
  "graph.open": "Ouvrir sa page",
  "graph.isPage": "une page d’un dossier lié",
  "graph.pageLink": "mène à",
  "graph.around": "Autour",
  "graph.aroundOf": "Autour de {name}",
  "graph.whole": "Tout afficher",
  "graph.relations": "{count, plural, =0 {Aucune relation} one {# relation} other {# relations}}",
  "graph.table": "Relations du graphe",
  "graph.from": "De",
  "graph.relation": "Relation",
  "graph.to": "À",
  "graph.moreRows": "Afficher plus : il en reste {count, number}",
  "graph.more": "Il y a plus de relations que le graphe n’en peut montrer. Il montre les plus importantes.",
  "graph.noRelations":
    "Aucun sujet n’a encore de relation. Ouvrir la page d’un sujet et choisir « Ajouter une relation ».",
  "graph.nothing.title": "Rien à afficher ici",
  "graph.nothing.body": "Les genres choisis, ou le sujet au milieu, ne laissent rien à afficher.",
  "graph.nothing.lens": "Ils ne connaissent aucun sujet qui serait montré ici.",
};
