import { clear, ranked } from "./draw";
import type { Outline } from "./model";
import { drawWanted, type Order, sentOf, type Wanted } from "./wanted";

/** Undefined where a worker cannot draw. */
function newWorker(): Worker | undefined {
  if (typeof OffscreenCanvas === "undefined") return undefined;
  try {
    return new Worker(new URL("./artist.worker.ts", import.meta.url), { type: "module" });
  } catch {
    return undefined;
  }
}

/** What the worker has already. */
type Has = { graph?: Outline; positions?: Float32Array };

let early: { worker: Worker | undefined; has: Has } | undefined;

/** Starts the worker with the graph while that is laid out. */
export function warmUp(graph: Outline): void {
  if (early?.has.graph === graph) return;
  early ??= { worker: newWorker(), has: {} };
  early.worker?.postMessage({ graph: sentOf(graph) } satisfies Order);
  early.has = { graph };
}

/** Draws pictures of graphs without their texts, one at a time, in a worker. Where it cannot, the page waits. */
export class Artist {
  private worker: Worker | undefined;
  private has: Has;
  private current: { wanted: Wanted; done: (image: CanvasImageSource) => void } | undefined;

  constructor() {
    const { worker, has } = early ?? { worker: newWorker(), has: {} };
    early = undefined;
    [this.worker, this.has] = [worker, has];
    if (!this.worker) return;
    this.worker.onmessage = ({ data }: MessageEvent<ImageBitmap>) => this.finish(data);
    this.worker.onerror = () => {
      this.stop();
      if (this.current) this.finish(this.drawHere(this.current.wanted));
    };
  }

  draw(wanted: Wanted, done: (image: CanvasImageSource) => void): void {
    this.current = { wanted, done };
    if (!this.worker) {
      this.finish(this.drawHere(wanted));
      return;
    }
    const { graph, positions, camera, size, focus, ink, ratio, visible, most } = wanted;
    const order: Order = {
      graph: graph === this.has.graph ? undefined : sentOf(graph),
      positions: positions === this.has.positions ? undefined : positions,
      picture: { camera, size, focus, ink, ratio, visible, most },
    };
    this.has = { graph, positions };
    this.worker.postMessage(order);
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }

  private finish(image: CanvasImageSource): void {
    const { current } = this;
    this.current = undefined;
    current?.done(image);
  }

  private drawHere(wanted: Wanted): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    const context = clear(canvas, wanted);
    if (context) drawWanted(context, wanted, ranked(wanted.graph));
    return canvas;
  }
}
