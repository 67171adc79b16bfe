/** A name that could stand at a node. */
export type Candidate = { place: number; x: number; y: number; radius: number; width: number };

/** Where a name stands: the left end of its line, and the middle of its height. */
export type Label = { place: number; x: number; y: number };

type Box = { left: number; top: number; right: number; bottom: number };

const HEIGHT = 16;
const GAP = 3;
const CELL = 96;

/** Boxes that are taken, by cells, so that a new one is compared with few others. */
export class Taken {
  private readonly cells = new Map<string, Box[]>();

  private *cellsOf({ left, top, right, bottom }: Box) {
    for (let x = Math.floor(left / CELL); x <= Math.floor(right / CELL); x += 1)
      for (let y = Math.floor(top / CELL); y <= Math.floor(bottom / CELL); y += 1) yield `${x} ${y}`;
  }

  take(box: Box): void {
    for (const cell of this.cellsOf(box)) {
      const boxes = this.cells.get(cell);
      if (boxes) boxes.push(box);
      else this.cells.set(cell, [box]);
    }
  }

  isFree(box: Box): boolean {
    for (const cell of this.cellsOf(box))
      for (const other of this.cells.get(cell) ?? [])
        if (
          box.left < other.right &&
          box.right > other.left &&
          box.top < other.bottom &&
          box.bottom > other.top
        )
          return false;
    return true;
  }
}

const discOf = ({ x, y, radius }: Candidate): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
});

/** Below a node, above it, or to one of its sides. */
function spotsOf({ x, y, radius, width }: Candidate): Box[] {
  const away = radius + GAP;
  const at = (left: number, top: number) => ({ left, top, right: left + width, bottom: top + HEIGHT });
  return [
    at(x - width / 2, y + away),
    at(x - width / 2, y - away - HEIGHT),
    at(x + away, y - HEIGHT / 2),
    at(x - away - width, y - HEIGHT / 2),
  ];
}

/**
 * Chooses names that cover neither one another nor a node that has one. Candidates come in the order of their importance; the first
 * `certain` ones are shown in any case. `avoid`: nodes that no name may cover.
 */
export function chooseLabels(
  candidates: readonly Candidate[],
  most: number,
  certain = 0,
  avoid: readonly Candidate[] = [],
  taken = new Taken(),
): Label[] {
  for (const node of avoid) taken.take(discOf(node));
  const labels: Label[] = [];
  candidates.forEach((candidate, rank) => {
    if (labels.length >= most) return;
    const spots = spotsOf(candidate);
    const spot = spots.find((it) => taken.isFree(it)) ?? (rank < certain ? spots[0] : undefined);
    if (!spot) return;
    taken.take(spot);
    labels.push({ place: candidate.place, x: spot.left, y: spot.top + HEIGHT / 2 });
  });
  return labels;
}

/** The first of these points around which a text of a width covers nothing. It is taken then. */
export function placeWord(taken: Taken, points: readonly [number, number][], width: number) {
  for (const [x, y] of points) {
    const box = { left: x - width / 2, top: y - HEIGHT / 2, right: x + width / 2, bottom: y + HEIGHT / 2 };
    if (!taken.isFree(box)) continue;
    taken.take(box);
    return { x: box.left, y };
  }
  return undefined;
}
