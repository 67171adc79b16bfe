import { createLayout, LARGE, type LayoutInput } from "./layout";

export type Order = LayoutInput & {
  /** Only a first picture and the last one. */
  still: boolean;
};
export type Laid = { positions: Float32Array; isDone: boolean };

/** Milliseconds until the first picture, and between the next ones. */
const FIRST = 60;
const NEXT = 200;

addEventListener("message", ({ data: { still, ...input } }: MessageEvent<Order>) => {
  const layout = createLayout(input);
  const send = (isDone: boolean) => {
    const positions = layout.positions();
    const laid: Laid = { positions, isDone };
    postMessage(laid, { transfer: [positions.buffer] });
  };
  // One step of a large layout takes longer than people wait for something to see: its start is shown.
  let isFirst = input.count <= LARGE;
  if (!isFirst) send(false);
  let last = performance.now();
  while (layout.step()) {
    if ((still && !isFirst) || performance.now() - last < (isFirst ? FIRST : NEXT)) continue;
    send(false);
    isFirst = false;
    last = performance.now();
  }
  send(true);
});
