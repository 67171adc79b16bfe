import { clear, ranked } from "./draw";
import { drawWanted, type Order, outlineOf } from "./wanted";

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
  if (!data.picture) return;
  const context = clear(canvas, data.picture);
  // The page draws by itself then.
  if (!context) throw new Error("there is no canvas in a worker");
  drawWanted(context, { ...data.picture, graph, positions }, order);
  const image = canvas.transferToImageBitmap();
  postMessage(image, { transfer: [image] });
});
