import { Artist } from "./artist";
import type { Camera, Size } from "./camera";
import { clear, paint } from "./draw";
import { byWeight, type Outline } from "./model";
import { type Named, type Text, textsOf, writeTexts } from "./texts";

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

/** Texts that one frame writes: each has an outline, which is slow. */
const TEXTS_AT_ONCE = 40;

/** A picture that is drawn once and shown while the camera moves. */
type Drawn = { canvas: HTMLCanvasElement; of: Named; size: Size; isSketch: boolean };

/** A picture from the artist, while the texts are written over it. */
type Unfinished = Omit<Drawn, "canvas"> & {
  image: CanvasImageSource;
  canvas: HTMLCanvasElement | undefined;
  /** What is still to be written. */
  texts: Text[] | undefined;
};

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
 * before it is moved and scaled, which is one drawing call a frame. `look`: what is to be shown now. `onDrawn`: the first picture is
 * on the screen.
 */
export class Painter {
  private frame: number | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isMoving = false;
  private artist: Artist | undefined;
  private front: Drawn | undefined;
  /** What the artist is drawing. */
  private asked: Named | undefined;
  private unfinished: Unfinished | undefined;
  /** A canvas that is free for the next picture. */
  private spare: HTMLCanvasElement | undefined;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly look: () => Named | undefined,
    private onDrawn: (() => void) | undefined,
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
      if (now && this.run(now)) this.announce();
    });
  }

  /** In the frame after this one, when what this one drew is shown. */
  private announce(): void {
    const { onDrawn } = this;
    this.onDrawn = undefined;
    if (onDrawn) requestAnimationFrame(() => setTimeout(onDrawn));
  }

  /** Whether there is a picture now. */
  private run(now: Named): boolean {
    if (!isLarge(now.graph)) {
      [this.front, this.unfinished, this.spare] = [undefined, undefined, undefined];
      this.drawAtOnce(now);
      return true;
    }
    if (this.unfinished) this.complete(this.unfinished);
    if (this.unfinished) this.next();
    else if (!this.asked && this.isStale(now)) this.ask(now);
    return this.show(now);
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
    // The whole picture follows a sketch before anything can move far: it needs no margin, and each of its pixels is copied twice.
    const size = isSketch ? now.size : withMargin(now.size);
    this.artist.draw({ ...now, size, visible: now.size, most }, (image) => {
      this.asked = undefined;
      this.unfinished = { image, of: now, size, isSketch, canvas: undefined, texts: undefined };
      this.next();
    });
  }

  /** Writes some of the texts over a picture; a sketch has none. When it has all of them, it is the last picture from now on. */
  private complete(picture: Unfinished): void {
    const { image, of, size, isSketch } = picture;
    if (!picture.canvas) {
      picture.canvas = this.spare ?? document.createElement("canvas");
      this.spare = undefined;
      clear(picture.canvas, { ...of, size })?.drawImage(image, 0, 0, size.width, size.height);
      if ("close" in image) image.close();
      if (!isSketch) return;
    }
    // The texts come with the whole picture, which follows.
    picture.texts ??= isSketch ? [] : textsOf(of);
    const some = picture.texts.splice(0, TEXTS_AT_ONCE);
    const context = picture.canvas.getContext("2d");
    if (context) writeTexts(context, some, { ...of, size });
    if (picture.texts.length > 0) return;
    this.spare = this.front?.canvas;
    this.front = { canvas: picture.canvas, of, size, isSketch };
    this.unfinished = undefined;
  }

  /** Shows the last picture as the camera sees it now. Whether there is one. */
  private show(now: Named): boolean {
    const { front } = this;
    if (front?.of.graph !== now.graph) return false;
    const context = clear(this.canvas, now);
    if (!context) return false;
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
    return true;
  }
}
