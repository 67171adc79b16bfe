/** The parts of a tree of markdown that texts are looked for in. */
export type Tree = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: Tree[];
  position?: { start: { offset?: number } };
};

/** The element that stands for a wiki link until it is drawn. Markdown cannot write it: its own HTML is left out. */
export const WIKI_TAG = "q";

const LEFT_ALONE = new Set(["a", "code", "pre", WIKI_TAG]);

/** Replaces each text with the nodes that `split` makes of it, but not in code and links. */
export function splitTexts(node: Tree, split: (text: Tree) => Tree[]): void {
  if (!node.children || LEFT_ALONE.has(node.tagName ?? "")) return;
  node.children = node.children.flatMap((child) => {
    if (child.type === "text") return split(child);
    splitTexts(child, split);
    return [child];
  });
}
