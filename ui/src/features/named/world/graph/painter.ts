import { Artist } from "./artist";
import type { Camera, Size } from "./camera";
import { clear, paint } from "./draw";
import { byWeight, type Outline } from "./model";
import { type Named, textsOf, writeTexts } from "./texts";

/** Milliseconds after the last movement until the picture is drawn for where the camera is. */
const REST = 120;
/** Up to so many nodes and edges one frame has time for all of it. */
const MOST_AT_ONCE = 600;
/** Edges in the first picture of a large graph, which is to come soon. */
const SKETCHED = 2_000;
/** What is drawn around the visible part, as a share of its sides: what a movement uncovers is there already. */
const MARGIN = 0.2;
/** While the camera moves, how much of the margin is used up, and how much is zoomed, until there is a new picture. */
const USED = 0.4;
const ZOOMED = 1.3;

/** A picture that is drawn once and shown while the camera moves. */
type Drawn = { canvas: HTMLCanvasElement; of: Named; size: Size; isSketch: boolean };

/** Whether a graph is drawn in the background. */
export const isLarge = ({ nodes, edges }: Outline): boolean => nodes.length + edges.length > MOST_AT_ONCE;

const isSameContent = (a: Named, b: Named): boolean =>
  a.graph === b.graph &&
  a.positions === b.positions &&
  a.size.width === b.size.width &&
  a.size.height === b.size.height &&
  a.ratio === b.ratio &&
  a.ink === b.ink &&
  a.focus.selected === b.focus.selected &&
  a.focus.hovered === b.focus.hovered &&
  a.focus.edge === b.focus.edge;

const isSameCamera = (a: Camera, b: Camera): boolean => a.x === b.x && a.y === b.y && a.scale === b.scale;

/** Whether a camera is so far from where a picture was drawn that it soon shows what is not in it. */
function isFar({ of: { camera, size } }: Drawn, now: Camera): boolean {
  const zoom = now.scale / camera.scale;
  return (
    Math.max(zoom, 1 / zoom) > ZOOMED ||
    Math.abs(now.x - camera.x) * now.scale > USED * MARGIN * size.width ||
    Math.abs(now.y - camera.y) * now.scale > USED * MARGIN * size.height
  );
}

function withMargin({ width, height }: Size): Size {
  const more = (side: number) => side + 2 * Math.ceil(MARGIN * side);
  return { width: more(width), height: more(height) };
}

/**
 * Draws a graph once a frame at most. A large graph is drawn in a worker. Until that is done, and while the camera moves, the picture
 * before it is moved and scaled, which is one drawing call a frame. `look`: what is to be shown now.
 */
export class Painter {
  private frame: number | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isMoving = false;
  private artist: Artist | undefined;
  private front: Drawn | undefined;
  /** What the artist is drawing. */
  private asked: Named | undefined;
  /** What it has drawn, without texts. */
  private drawn: { image: CanvasImageSource; of: Named; isSketch: boolean } | undefined;
  /** A canvas that is free for the next picture. */
  private spare: HTMLCanvasElement | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly look: () => Named | undefined,
  ) {}

  /** Something changed. `isMoving`: it is the camera, and it may go on. */
  redraw(isMoving: boolean): void {
    if (isMoving) {
      this.isMoving = true;
      clearTimeout(this.rest);
      this.rest = setTimeout(() => {
        this.isMoving = false;
        this.next();
      }, REST);
    }
    this.next();
  }

  stop(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.artist?.stop();
  }

  private next(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      const now = this.look();
      if (now) this.run(now);
    });
  }

  private run(now: Named): void {
    if (!isLarge(now.graph)) {
      [this.front, this.drawn, this.spare] = [undefined, undefined, undefined];
      this.drawAtOnce(now);
      return;
    }
    if (this.drawn) this.complete(this.drawn);
    this.drawn = undefined;
    if (!this.asked && this.isStale(now)) this.ask(now);
    this.show(now);
  }

  private drawAtOnce(now: Named): void {
    const context = clear(this.canvas, now);
    if (!context) return;
    paint(context, now, { order: now.order, edges: byWeight(now.graph) }, now.size);
    writeTexts(context, textsOf(now), now);
  }

  private isStale(now: Named): boolean {
    if (!this.front || this.front.isSketch || !isSameContent(this.front.of, now)) return true;
    return this.isMoving ? isFar(this.front, now.camera) : !isSameCamera(this.front.of.camera, now.camera);
  }

  private ask(now: Named): void {
    this.asked = now;
    this.artist ??= new Artist();
    const isSketch = this.front?.of.graph !== now.graph;
    const most = isSketch ? SKETCHED : now.graph.edges.length;
    this.artist.draw({ ...now, size: withMargin(now.size), visible: now.size, most }, (image) => {
      this.asked = undefined;
      this.drawn = { image, of: now, isSketch };
      this.next();
    });
  }

  /** Writes the texts over a picture, which is the last one from now on. */
  private complete({ image, of, isSketch }: NonNullable<typeof this.drawn>): void {
    const canvas = this.spare ?? document.createElement("canvas");
    this.spare = this.front?.canvas;
    const size = withMargin(of.size);
    const context = clear(canvas, { ...of, size });
    if (!context) return;
    context.drawImage(image, 0, 0, size.width, size.height);
    if ("close" in image) image.close();
    writeTexts(context, textsOf(of), { ...of, size });
    this.front = { canvas, of, size, isSketch };
  }

  /** Shows the last picture as the camera sees it now. */
  private show(now: Named): void {
    const { front } = this;
    if (front?.of.graph !== now.graph) return;
    const context = clear(this.canvas, now);
    if (!context) return;
    const { size, ratio } = now;
    // A layout in progress fits the camera to positions that are not drawn yet.
    const camera = this.isMoving || front.of.positions === now.positions ? now.camera : front.of.camera;
    const zoom = camera.scale / front.of.camera.scale;
    const left = (front.of.camera.x - camera.x) * camera.scale + (size.width - zoom * front.size.width) / 2;
    const top = (front.of.camera.y - camera.y) * camera.scale + (size.height - zoom * front.size.height) / 2;
    // Between two pixels a picture would be blurred, and slow.
    const pixel = (at: number) => (zoom === 1 ? Math.round(at * ratio) : at * ratio);
    context.setTransform(zoom, 0, 0, zoom, pixel(left), pixel(top));
    context.drawImage(front.canvas, 0, 0);
  }
}
