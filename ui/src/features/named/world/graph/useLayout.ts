import { useLayoutEffect, useState } from "react";
import { createLayout, type LayoutInput } from "./layout";
import type { Laid, Order } from "./layout.worker";
import type { Graph } from "./model";
import { isLarge } from "./painter";

/** Up to here a layout takes less time than a worker needs to start. */
const AT_ONCE = 80;
/** Finished layouts: a graph that is seen again is there at once. */
const kept = new Map<string, Float32Array>();
const MOST_KEPT = 4;

/** Undefined where there are no workers, or none may be started. */
function newWorker(): Worker | undefined {
  try {
    return new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  } catch {
    return undefined;
  }
}

/** Starts while the graph is being read. */
let early = newWorker();

function takeWorker(): Worker | undefined {
  const worker = early ?? newWorker();
  early = undefined;
  return worker;
}

/** A layout in a worker. Who listens later gets the last positions. */
class Running {
  private last: Laid | undefined;
  private hasFailed = false;
  private listener: { show(laid: Laid): void; fail(): void } | undefined;

  constructor(
    private readonly worker: Worker,
    order: Order,
  ) {
    worker.onmessage = ({ data }: MessageEvent<Laid>) => {
      this.last = data;
      this.listener?.show(data);
    };
    worker.onerror = () => {
      this.hasFailed = true;
      this.listener?.fail();
    };
    worker.postMessage(order);
  }

  listen(show: (laid: Laid) => void, fail: () => void): void {
    this.listener = { show, fail };
    if (this.hasFailed) fail();
    else if (this.last) show(this.last);
  }

  stop(): void {
    this.worker.terminate();
  }
}

/** Layouts that began before anybody listens. */
const begun = new WeakMap<Graph, Running>();

function run(input: LayoutInput, still: boolean): Running | undefined {
  const worker = input.count <= AT_ONCE ? undefined : takeWorker();
  return worker && new Running(worker, { ...input, still });
}

/** Begins the layout of a large graph while the page of it is still being made. */
export function beginLayout(graph: Graph, still: boolean): void {
  if (begun.has(graph) || !isLarge(graph) || kept.has(nameOf(graph))) return;
  const running = run(inputOf(graph), still);
  if (running) begun.set(graph, running);
}

const nameOf = ({ nodes, edges }: Graph) =>
  `${nodes.map(({ id }) => id).join()} ${edges.map(({ from, to }) => `${from}-${to}`).join()}`;

const inputOf = ({ nodes, edges }: Graph): LayoutInput => ({
  count: nodes.length,
  ends: Int32Array.from(edges.flatMap(({ from, to }) => [from, to])),
});

function keep(name: string, positions: Float32Array): void {
  kept.set(name, positions);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}

function atOnce(input: LayoutInput): Float32Array {
  const layout = createLayout(input);
  while (layout.step());
  return layout.positions();
}

type Shown = { graph: Graph; positions: Float32Array; isDone: boolean };

/**
 * A graph and where its nodes are; the graph before it until there is a first picture of a new one, so that the focus stays in its
 * place. `still`: without motion in between.
 */
export function useLayout(graph: Graph, still: boolean) {
  const [shown, setShown] = useState<Shown>();
  // The worker begins before the browser paints the page.
  useLayoutEffect(() => {
    const name = nameOf(graph);
    const show = (positions: Float32Array, isDone: boolean) => {
      if (isDone) keep(name, positions);
      setShown({ graph, positions, isDone });
    };
    const known = kept.get(name);
    if (known) return show(known, true);
    const input = inputOf(graph);
    const running = begun.get(graph) ?? run(input, still);
    begun.delete(graph);
    const wait = () => show(atOnce(input), true);
    // Better a page that waits than none.
    if (!running) return wait();
    running.listen(({ positions, isDone }) => show(positions, isDone), wait);
    return () => running.stop();
  }, [graph, still]);
  return shown;
}
