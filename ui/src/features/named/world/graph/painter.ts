import type { Camera } from "./camera";
import { clear, type Picture, paint, type Ranked, type Text, textsOf, writeTexts } from "./draw";

/** Milliseconds after the last movement until the picture is drawn for where the camera is. */
const REST = 120;
/** Up to so many nodes and edges one frame has time for all of it. */
const MOST_AT_ONCE = 1_600;
/** Edges in the first picture of a large graph, which comes at once. */
const SKETCHED = 2_000;
/** Milliseconds of a frame that go into a picture in the making: while the camera moves, and when it rests. */
const BUDGET = { moving: 6, resting: 12 };
/** Milliseconds of it that are drawn together, and steps at most. Each time copies the picture; more at once take too long. */
const MOST_TOGETHER = 4;
const MOST_STEPS = 8;
/** What is drawn around the visible part, as a share of its sides: what a movement uncovers is there already. */
const MARGIN = 0.2;
/** While the camera moves, how much of the margin is used up, and how much is zoomed, until there is a new picture. */
const USED = 0.4;
const ZOOMED = 1.3;

export type Shown = Picture & { ranked: Ranked };

/** A picture that is drawn once and shown while the camera moves. */
type Drawn = { canvas: HTMLCanvasElement; of: Shown; size: Picture["size"]; texts: Text[] };

const isSameContent = (a: Shown, b: Shown): boolean =>
  a.graph === b.graph &&
  a.positions === b.positions &&
  a.size.width === b.size.width &&
  a.size.height === b.size.height &&
  a.ink === b.ink &&
  a.focus.selected === b.focus.selected &&
  a.focus.hovered === b.focus.hovered &&
  a.focus.edge === b.focus.edge;

const isSameCamera = (a: Camera, b: Camera): boolean => a.x === b.x && a.y === b.y && a.scale === b.scale;

const pixel = document.createElement("canvas").getContext("2d");

/** Has the browser draw what it was asked for until now. It would put off all of it to the moment at which the picture is shown. */
function flush(canvas: HTMLCanvasElement): void {
  pixel?.drawImage(canvas, 0, 0, 1, 1, 0, 0, 1, 1);
}

/** Whether a camera is so far from where a picture was drawn that it soon shows what is not in it. */
function isFar({ of: { camera, size } }: Drawn, now: Camera): boolean {
  const zoom = now.scale / camera.scale;
  return (
    Math.max(zoom, 1 / zoom) > ZOOMED ||
    Math.abs(now.x - camera.x) * now.scale > USED * MARGIN * size.width ||
    Math.abs(now.y - camera.y) * now.scale > USED * MARGIN * size.height
  );
}

/**
 * Draws a graph once a frame at most. A large graph is drawn in the background, a few milliseconds in each frame; until that is done,
 * and while the camera moves, the picture before it is moved and scaled. `look`: what is to be shown now.
 */
export class Painter {
  private frame: number | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isMoving = false;
  /** What was drawn of a graph that is new. */
  private sketch: Shown | undefined;
  private front: Drawn | undefined;
  /** The picture in the making, and its steps. */
  private next: { drawn: Drawn; steps: Generator<void> } | undefined;
  /** Steps that are drawn together on this machine. */
  private together = MOST_STEPS;
  /** A canvas that is free for the next picture. */
  private spare: HTMLCanvasElement | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly look: () => Shown | undefined,
  ) {}

  /** Something changed. `isMoving`: it is the camera, and it may go on. */
  redraw(isMoving: boolean): void {
    if (isMoving) {
      this.isMoving = true;
      clearTimeout(this.rest);
      this.rest = setTimeout(() => {
        this.isMoving = false;
        this.ask();
      }, REST);
    }
    this.ask();
  }

  stop(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
  }

  private ask(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const now = this.look();
      if (now) this.run(now);
    });
  }

  private run(now: Shown): void {
    const { graph, ranked } = now;
    if (graph.nodes.length + graph.edges.length <= MOST_AT_ONCE) {
      [this.front, this.next, this.spare, this.sketch] = [undefined, undefined, undefined, undefined];
      this.drawAtOnce(now, ranked.edges);
      return;
    }
    const isNew = this.front?.of.graph !== graph;
    if (this.next && this.next.drawn.of.graph !== graph) this.next = undefined;
    if (
      isNew &&
      !(this.sketch && isSameContent(this.sketch, now) && isSameCamera(this.sketch.camera, now.camera))
    ) {
      this.sketch = now;
      this.drawAtOnce(now, ranked.edges.slice(0, SKETCHED));
      this.ask();
      return;
    }
    if (!this.next && this.isStale(now)) this.next = this.begin(now);
    this.advance(this.isMoving ? BUDGET.moving : BUDGET.resting);
    this.show(now);
    if (this.next || (this.front && this.isStale(now))) this.ask();
  }

  private drawAtOnce(now: Shown, edges: Ranked["edges"]): void {
    const { ranked, camera, size, ink } = now;
    const context = clear(this.canvas, now);
    if (!context) return;
    for (const _ of paint(context, now, { ...ranked, edges }, size));
    writeTexts(context, textsOf(now, ranked), camera, size, ink);
  }

  private isStale(now: Shown): boolean {
    if (!this.front || !isSameContent(this.front.of, now)) return true;
    return this.isMoving ? isFar(this.front, now.camera) : !isSameCamera(this.front.of.camera, now.camera);
  }

  private begin(now: Shown) {
    const more = (side: number) => side + 2 * Math.ceil(MARGIN * side);
    const size = { width: more(now.size.width), height: more(now.size.height) };
    const canvas = this.spare ?? document.createElement("canvas");
    this.spare = undefined;
    const context = clear(canvas, { size, ink: now.ink });
    if (!context) return undefined;
    const drawn: Drawn = { canvas, of: now, size, texts: [] };
    function* steps() {
      yield* paint(context as CanvasRenderingContext2D, { ...now, size }, now.ranked, now.size);
      yield;
      drawn.texts = textsOf(now, now.ranked);
    }
    return { drawn, steps: steps() };
  }

  private advance(budget: number): void {
    const { next } = this;
    if (!next) return;
    const end = performance.now() + budget;
    do {
      if (!this.draw(next)) continue;
      this.sketch = undefined;
      this.spare = this.front?.canvas;
      this.front = next.drawn;
      this.next = undefined;
      return;
    } while (performance.now() < end);
  }

  /** Draws a few steps. True when there are no more. */
  private draw({ drawn, steps }: NonNullable<typeof this.next>): boolean {
    const start = performance.now();
    for (let step = 0; step < this.together; step += 1) if (steps.next().done) return true;
    flush(drawn.canvas);
    const took = performance.now() - start;
    if (took > MOST_TOGETHER) this.together = Math.max(1, this.together / 2);
    else if (took < MOST_TOGETHER / 2) this.together = Math.min(MOST_STEPS, this.together * 2);
    return false;
  }

  /** Shows the last finished picture as the camera sees it now. */
  private show({ graph, camera, positions, size, ink }: Shown): void {
    const { front } = this;
    // A layout in progress fits the camera to positions that are not drawn yet.
    if (front?.of.graph !== graph || (!this.isMoving && front.of.positions !== positions)) return;
    const context = clear(this.canvas, { size, ink });
    if (!context) return;
    const ratio = window.devicePixelRatio || 1;
    const zoom = camera.scale / front.of.camera.scale;
    const left = (front.of.camera.x - camera.x) * camera.scale + (size.width - zoom * front.size.width) / 2;
    const top = (front.of.camera.y - camera.y) * camera.scale + (size.height - zoom * front.size.height) / 2;
    // Between two pixels a picture would be blurred, and slow.
    const pixel = (at: number) => (zoom === 1 ? Math.round(at * ratio) : at * ratio);
    context.setTransform(zoom, 0, 0, zoom, pixel(left), pixel(top));
    context.drawImage(front.canvas, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    writeTexts(context, front.texts, camera, size, front.of.ink);
  }
}
