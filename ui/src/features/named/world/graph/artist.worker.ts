import type { Order, Sent } from "./artist";
import { clear, paint, ranked } from "./draw";
import type { Line, Outline } from "./model";

function outlineOf({ kinds, ends, bends }: Sent): Outline {
  const touching: number[][] = kinds.map(() => []);
  const edges = Array.from(bends, (bend, at): Line => {
    const [from = 0, to = 0] = [ends[2 * at], ends[2 * at + 1]];
    touching[from]?.push(at);
    if (from !== to) touching[to]?.push(at);
    return { from, to, bend };
  });
  return { nodes: kinds.map((kind) => ({ kind })), edges, touching };
}

const canvas = new OffscreenCanvas(1, 1);
let graph = outlineOf({ kinds: [], ends: new Int32Array(), bends: new Float32Array() });
let order = ranked(graph);
let positions = new Float32Array();

addEventListener("message", ({ data }: MessageEvent<Order>) => {
  if (data.graph) {
    graph = outlineOf(data.graph);
    order = ranked(graph);
  }
  if (data.positions) positions = new Float32Array(data.positions);
  const context = clear(canvas, data);
  // The page draws by itself then.
  if (!context) throw new Error("there is no canvas in a worker");
  paint(context, { ...data, graph, positions }, order, data.visible);
  const image = canvas.transferToImageBitmap();
  postMessage(image, { transfer: [image] });
});
