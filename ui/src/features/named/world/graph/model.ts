import type { GraphView, SubjectPage, SubjectRow } from "../../../../ipc/bindings.gen";

/** What is drawn of an edge. */
export type Line = {
  /** Places of its ends among the nodes. */
  from: number;
  to: number;
  /** How far it curves to the left of the way from the lower to the higher end: relations of one pair lie apart. */
  bend: number;
};

export type Edge = Line & {
  /** Id of the memory that states it. */
  id: string;
  relation: string;
};

/** What is drawn of a graph, without its texts. */
export type Outline = {
  nodes: readonly { kind: string }[];
  edges: readonly Line[];
  touching: readonly (readonly number[])[];
};

/** A subject, or a page of a linked folder that is no subject's page. */
export type GraphNode = SubjectRow & { isPage?: true };

export type Graph = {
  /** By id: the layout starts in this order, so the same data make the same picture. */
  nodes: GraphNode[];
  /** The most important first. */
  edges: Edge[];
  /** The edges of each node, as places among the edges. */
  touching: number[][];
  /** The place of each id among the nodes. */
  places: Map<string, number>;
};

type Relation = { id: string; relation: string; from: string; to: string };

function build(rows: readonly GraphNode[], relations: readonly Relation[]): Graph {
  const nodes = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
  const places = new Map(nodes.map((node, place) => [node.id, place]));
  const touching: number[][] = nodes.map(() => []);
  const edges: Edge[] = [];
  const pairs = new Map<string, Edge[]>();
  for (const { id, relation, from, to } of relations) {
    const [a, b] = [places.get(from), places.get(to)];
    if (a === undefined || b === undefined) continue;
    const edge = { id, relation, from: a, to: b, bend: 0 };
    touching[a]?.push(edges.length);
    if (a !== b) touching[b]?.push(edges.length);
    edges.push(edge);
    const pair = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const siblings = pairs.get(pair);
    if (siblings) siblings.push(edge);
    else pairs.set(pair, [edge]);
  }
  for (const siblings of pairs.values())
    siblings.forEach((edge, at) => {
      edge.bend = at - (siblings.length - 1) / 2;
    });
  return { nodes, edges, touching, places };
}

const pageNode = ({ page }: SubjectPage): GraphNode => ({
  id: page.id,
  kind: page.pageKind ?? "",
  name: page.title,
  aliases: page.aliases,
  hasText: true,
  links: 0,
  updatedAt: page.modifiedAt,
  isPage: true,
});

/** Subjects and relations, with pages that stand for themselves as nodes and links of pages as relations. */
export const withPages = (
  { nodes, edges, pages, pageEdges }: GraphView,
  relation: string,
): { nodes: GraphNode[]; edges: Relation[] } => ({
  nodes: [...nodes, ...pages.filter((it) => it.subjectId === null).map(pageNode)],
  edges: [...edges, ...pageEdges.map(({ from, to }) => ({ id: `${from} ${to}`, relation, from, to }))],
});

const wholes = new WeakMap<GraphView, { relation: string; graph: Graph }>();

/** The graph with all its kinds and pages, made once. */
export function wholeGraph(view: GraphView, relation: string): Graph {
  const known = wholes.get(view);
  if (known?.relation === relation) return known.graph;
  const graph = graphOf(withPages(view, relation), []);
  wholes.set(view, { relation, graph });
  return graph;
}

/** The graph without the kinds that are hidden. */
export const graphOf = (
  { nodes, edges }: { nodes: readonly GraphNode[]; edges: readonly Relation[] },
  hidden: readonly string[],
) =>
  build(
    nodes.filter(({ kind }) => !hidden.includes(kind)),
    edges,
  );

/** The other end of an edge. */
export const otherEnd = ({ from, to }: Line, place: number): number => (from === place ? to : from);

/** What can be reached from a subject in so many steps, with every relation between those. */
export function around(graph: Graph, id: string, steps = 2): Graph {
  const start = graph.places.get(id);
  if (start === undefined) return build([], []);
  const reached = new Set([start]);
  let edge = [start];
  for (let step = 0; step < steps; step += 1) {
    const next: number[] = [];
    for (const place of edge)
      for (const at of graph.touching[place] ?? []) {
        const other = otherEnd(graph.edges[at] as Edge, place);
        if (!reached.has(other)) next.push(other);
        reached.add(other);
      }
    edge = next;
  }
  const idAt = (place: number) => graph.nodes[place]?.id ?? "";
  return build(
    graph.nodes.filter((_, place) => reached.has(place)),
    graph.edges.map(({ from, to, ...rest }) => ({ ...rest, from: idAt(from), to: idAt(to) })),
  );
}

/** The neighbours of a node, each once. */
export const neighbours = (graph: Outline, place: number): number[] => [
  ...new Set((graph.touching[place] ?? []).map((at) => otherEnd(graph.edges[at] as Line, place))),
];

/** Nodes by how much they are linked, the most first. Equal ones by id. */
export const byLinks = ({ touching }: Outline): number[] =>
  touching
    .map((_, place) => place)
    .sort((a, b) => (touching[b]?.length ?? 0) - (touching[a]?.length ?? 0) || a - b);

/** Edges by how much both their ends are linked, the most first. */
export function byWeight({ edges, touching }: Outline): Line[] {
  const links = (place: number) => touching[place]?.length ?? 0;
  const weight = ({ from, to }: Line) => Math.min(links(from), links(to));
  return [...edges].sort((a, b) => weight(b) - weight(a));
}
