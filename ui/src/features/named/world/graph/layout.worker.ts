import { createLayout, type LayoutInput } from "./layout";

export type Order = LayoutInput & {
  /** Only a first picture and the last one. */
  still: boolean;
};
export type Laid = { positions: Float32Array; isDone: boolean };

/** Milliseconds between two pictures. The first one comes after the first step. */
const NEXT = 200;

addEventListener("message", ({ data: { still, ...input } }: MessageEvent<Order>) => {
  const layout = createLayout(input);
  const send = (isDone: boolean) => {
    const positions = layout.positions();
    const laid: Laid = { positions, isDone };
    postMessage(laid, { transfer: [positions.buffer] });
  };
  let isFirst = true;
  let last = performance.now();
  while (layout.step()) {
    if ((still && !isFirst) || (!isFirst && performance.now() - last < NEXT)) continue;
    send(false);
    isFirst = false;
    last = performance.now();
  }
  send(true);
});
