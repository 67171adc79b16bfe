export type Size = { width: number; height: number };

/** The point of the graph in the middle of the picture, and pixels per unit. */
export type Camera = { x: number; y: number; scale: number };

const LEAST = 0.02;
const MOST = 4;
/** Room around the whole, in pixels: for the names of what is at the edge. */
const ROOM = 56;

export const toScreen = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - camera.x) * camera.scale + size.width / 2,
  (y - camera.y) * camera.scale + size.height / 2,
];

export const toGraph = (camera: Camera, size: Size, x: number, y: number): [number, number] => [
  (x - size.width / 2) / camera.scale + camera.x,
  (y - size.height / 2) / camera.scale + camera.y,
];

/** Zoomed by a factor around a point of the picture that stays in its place. */
export function zoomed(camera: Camera, size: Size, factor: number, x: number, y: number): Camera {
  const [atX, atY] = toGraph(camera, size, x, y);
  const scale = Math.min(Math.max(camera.scale * factor, LEAST), MOST);
  return {
    x: atX - (x - size.width / 2) / scale,
    y: atY - (y - size.height / 2) / scale,
    scale,
  };
}

/** Shows all of it. */
export function fitted(positions: Float32Array, size: Size): Camera {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 2) {
    const [x = 0, y = 0] = [positions[at], positions[at + 1]];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (left > right) return { x: 0, y: 0, scale: 1 };
  const scale = Math.min(
    Math.max(size.width - 2 * ROOM, 1) / Math.max(right - left, 1),
    Math.max(size.height - 2 * ROOM, 1) / Math.max(bottom - top, 1),
    // A small world needs no magnifying glass.
    1.5,
  );
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(scale, LEAST) };
}
