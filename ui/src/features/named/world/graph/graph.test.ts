import { describe, expect, test } from "vitest";
import type { EdgeView, PageRow, SubjectRow } from "../../../../ipc/bindings.gen";
import { fitted, toGraph, toScreen, zoomed } from "./camera";
import { curveOf, edgeAt, nodeAt, towards } from "./hit";
import { type Candidate, chooseLabels } from "./labels";
import { createLayout } from "./layout";
import { around, byLinks, graphOf, withPages } from "./model";
import { shapeOf } from "./shapes";
import { outlineOf, sentOf } from "./wanted";

const node = (id: string, kind = "character"): SubjectRow => ({
  id,
  kind,
  name: id,
  aliases: [],
  hasText: false,
  links: 0,
  updatedAt: "",
});
const edge = (from: string, to: string, relation = "knows"): EdgeView => ({
  id: `${from}${relation}${to}`,
  relation,
  from,
  to,
});
const world = (ids: string, ...edges: EdgeView[]) =>
  graphOf({ nodes: [...ids].map((id) => node(id)), edges }, []);

const page = (id: string): PageRow => ({
  id,
  vaultId: "v",
  path: `${id}.md`,
  title: id,
  pageKind: "place",
  lifecycle: null,
  aliases: [],
  tags: [],
  modifiedAt: "",
});

describe("the graph", () => {
  test("has pages that stand for themselves as nodes, and links of pages as relations", () => {
    const view = {
      nodes: [node("a")],
      edges: [],
      more: false,
      pages: [
        { page: page("p"), subjectId: null },
        { page: page("q"), subjectId: "a" },
      ],
      pageEdges: [{ from: "p", to: "a" }],
    };
    const graph = graphOf(withPages(view, "links to"), []);
    expect(graph.nodes.map(({ id, kind, isPage }) => [id, kind, isPage])).toEqual([
      ["a", "character", undefined],
      ["p", "place", true],
    ]);
    expect(graph.edges).toEqual([{ id: "p a", relation: "links to", from: 1, to: 0, bend: 0 }]);
  });

  test("does not depend on the order in which the core gives its parts", () => {
    const graph = world("abc", edge("a", "b"));
    expect(world("cba", edge("a", "b"))).toEqual(graph);
  });

  test("around a subject holds what is two steps away, and the relations between those", () => {
    const graph = world(
      "abcde",
      edge("a", "b"),
      edge("c", "b"),
      edge("c", "d"),
      edge("a", "c"),
      edge("d", "e"),
    );
    const near = around(graph, "a");
    expect(near.nodes.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(near.edges).toHaveLength(4);
    expect(around(graph, "gone").nodes).toEqual([]);
  });

  test("a hidden kind goes with its relations", () => {
    const nodes = [node("a"), node("b", "place"), node("c")];
    const graph = graphOf({ nodes, edges: [edge("a", "b"), edge("a", "c")] }, ["place"]);
    expect(graph.nodes.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(graph.edges.map(({ id }) => id)).toEqual(["aknowsc"]);
  });

  test("relations of one pair curve apart, whichever way they lead", () => {
    const graph = world("ab", edge("a", "b"), edge("b", "a"), edge("a", "b", "owes"));
    const scene = {
      graph,
      positions: Float32Array.from([0, 0, 200, 0]),
      camera: { x: 100, y: 0, scale: 1 },
      size: { width: 400, height: 200 },
    };
    const heights = graph.edges.map((it) => Math.round(curveOf(scene, it).cy));
    expect(new Set(heights).size).toBe(3);
    expect(heights[1]).toBe(100);
  });

  test("nodes are ranked by their relations", () => {
    expect(byLinks(world("abc", edge("c", "a"), edge("c", "b")))[0]).toBe(2);
  });

  test("the worker draws the graph that the page has", () => {
    const graph = world("abc", edge("a", "b"), edge("b", "a"), edge("c", "c"), edge("b", "c"));
    const outline = outlineOf(sentOf(graph));
    expect(outline.touching).toEqual(graph.touching);
    expect(outline.edges).toEqual(graph.edges.map(({ from, to, bend }) => ({ from, to, bend })));
    expect(outline.nodes.map(({ kind }) => kind)).toEqual(graph.nodes.map(({ kind }) => kind));
  });

  test("each kind has an outline of its own", () => {
    const kinds = ["character", "place", "faction", "item", "event", "chapter", "culture", "rule", "concept"];
    const shapes = [...kinds, "audience", "calendar", "a kind of one's own"].map((it) => String(shapeOf(it)));
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});

describe("the layout", () => {
  const ring = { count: 40, ends: Int32Array.from({ length: 80 }, (_, at) => Math.ceil(at / 2) % 40) };
  const finish = (input: typeof ring) => {
    const layout = createLayout(input);
    while (layout.step());
    return layout.positions();
  };

  test("the same data make the same picture", () => {
    expect(finish(ring)).toEqual(finish(ring));
  });

  test("no two nodes lie on one another, and what is linked is nearer than the rest", () => {
    const at = finish(ring);
    const distance = (a: number, b: number) =>
      Math.hypot((at[2 * a] ?? 0) - (at[2 * b] ?? 0), (at[2 * a + 1] ?? 0) - (at[2 * b + 1] ?? 0));
    for (let a = 0; a < 40; a += 1)
      for (let b = a + 1; b < 40; b += 1) expect(distance(a, b)).toBeGreaterThan(20);
    expect(distance(0, 1)).toBeLessThan(distance(0, 20));
  });

  test("nothing at all is laid out, too", () => {
    expect(finish({ count: 0, ends: new Int32Array() })).toEqual(new Float32Array());
  });
});

describe("the camera", () => {
  const size = { width: 800, height: 600 };

  test("shows all of it", () => {
    const positions = Float32Array.from([-900, 0, 900, 300, 0, -700]);
    const camera = fitted(positions, size);
    for (let at = 0; at < positions.length; at += 2) {
      const [x, y] = toScreen(camera, size, positions[at] ?? 0, positions[at + 1] ?? 0);
      expect(x >= 0 && y >= 0 && x <= size.width && y <= size.height).toBe(true);
    }
  });

  test("zooms around a point that stays in its place", () => {
    const camera = { x: 10, y: -20, scale: 0.5 };
    const before = toGraph(camera, size, 120, 80);
    const after = toGraph(zoomed(camera, size, 1.7, 120, 80), size, 120, 80);
    expect(after[0]).toBeCloseTo(before[0]);
    expect(after[1]).toBeCloseTo(before[1]);
  });
});

describe("what is under the pointer", () => {
  const scene = {
    graph: world("ab", edge("a", "b")),
    positions: Float32Array.from([0, 0, 200, 100]),
    camera: { x: 0, y: 0, scale: 1 },
    size: { width: 400, height: 400 },
  };

  test("is the nearest node, or else the edge", () => {
    expect(nodeAt(scene, 203, 201)).toBe(0);
    expect(nodeAt(scene, 398, 302)).toBe(1);
    expect(nodeAt(scene, 300, 250)).toBeUndefined();
    expect(edgeAt(scene, 300, 252)).toBe(0);
    expect(edgeAt(scene, 300, 270)).toBeUndefined();
  });

  test("an arrow key goes to the node in its direction that is near", () => {
    const positions = Float32Array.from([0, 0, 100, 10, 300, 0, 0, -80, -50, 90]);
    const others = [1, 2, 3, 4];
    expect(towards("ArrowRight", positions, 0, others)).toBe(1);
    expect(towards("ArrowUp", positions, 0, others)).toBe(3);
    expect(towards("ArrowDown", positions, 0, others)).toBe(4);
    expect(towards("ArrowLeft", positions, 0, [1])).toBeUndefined();
  });
});

describe("names", () => {
  const at = (place: number, x: number, y: number): Candidate => ({ place, x, y, radius: 5, width: 60 });

  test("do not overlap: the first one stands, the next one gives way or goes", () => {
    const close = Array.from({ length: 60 }, (_, place) => at(place, 100 + place, 100));
    const labels = chooseLabels(close, 100);
    expect(labels[0]?.place).toBe(0);
    expect(labels.length).toBeLessThan(10);
    for (const a of labels)
      for (const b of labels)
        if (a !== b) expect(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 16).toBe(true);
  });

  test("what is in focus has its name in any case, and there are no more than asked for", () => {
    const close = Array.from({ length: 60 }, (_, place) => at(place, 100, 100));
    expect(chooseLabels(close, 100, 6).length).toBeGreaterThanOrEqual(6);
    expect(chooseLabels([at(0, 0, 0), at(1, 500, 0), at(2, 900, 0)], 2)).toHaveLength(2);
  });

  test("a name covers no node that it must avoid", () => {
    const [label] = chooseLabels([at(0, 100, 100)], 1, 0, [at(1, 100, 116)]);
    expect(label?.y).toBeLessThan(100);
  });
});
