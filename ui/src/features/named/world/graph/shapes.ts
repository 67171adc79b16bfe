type Point = readonly [number, number];

/** The corners of a regular figure, the first one at the top. */
const regular = (corners: number, radius = 1, turn = 0): Point[] =>
  Array.from({ length: corners }, (_, at) => {
    const angle = ((at + turn) / corners) * 2 * Math.PI - Math.PI / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

const star = (spikes: number, inner: number): Point[] =>
  regular(2 * spikes).map(([x, y], at) => (at % 2 === 0 ? [1.15 * x, 1.15 * y] : [inner * x, inner * y]));

const cross: Point[] = [
  [-0.38, -1],
  [0.38, -1],
  [0.38, -0.38],
  [1, -0.38],
  [1, 0.38],
  [0.38, 0.38],
  [0.38, 1],
  [-0.38, 1],
  [-0.38, 0.38],
  [-1, 0.38],
  [-1, -0.38],
  [-0.38, -0.38],
];

/** The outline of each kind, of about the same area. A character is round, as is what is in no list. */
const SHAPES: Record<string, readonly Point[]> = {
  character: regular(24),
  place: regular(4, 1.2, 0.5),
  faction: regular(3, 1.3, 1.5),
  item: regular(4, 1.2),
  event: regular(3, 1.3),
  chapter: [
    [-0.7, -1.1],
    [0.7, -1.1],
    [0.7, 1.1],
    [-0.7, 1.1],
  ],
  culture: regular(6, 1.1),
  rule: cross,
  concept: star(5, 0.55),
  audience: [
    [-1.15, -0.6],
    [1.15, -0.6],
    [1.15, 0.6],
    [-1.15, 0.6],
  ],
  calendar: regular(5, 1.15),
};
const OWN = star(8, 0.75);

export const shapeOf = (kind: string): readonly Point[] => SHAPES[kind] ?? OWN;

/** The token of the colour of a kind. */
export const colourOf = (kind: string): string => (kind in SHAPES ? `kind-${kind}` : "kind-own");
