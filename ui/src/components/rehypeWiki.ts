import { splitTexts, type Tree, WIKI_TAG } from "./rehypeText";

const WIKI = /!?\[\[([^[\]\n]+)\]\]/g;
/** Between a page and a heading of it, where one is shown. */
const WITHIN = " > ";

/** Makes elements of the wiki links in a text, each with how it is written and what is shown for it. */
export function splitWiki(node: Tree, isLink: (written: string) => boolean): Tree[] {
  const text = node.value ?? "";
  const parts: Tree[] = [];
  let at = 0;
  for (const match of text.matchAll(WIKI)) {
    const [target = "", ...label] = (match[1] ?? "").split("|");
    const written = target.trim();
    if (written === "" || !isLink(written)) continue;
    if (match.index > at) parts.push({ type: "text", value: text.slice(at, match.index) });
    parts.push({
      type: "element",
      tagName: WIKI_TAG,
      properties: { dataWritten: written },
      children: [{ type: "text", value: label.join("|").trim() || written.replace("#", WITHIN) }],
    });
    at = match.index + match[0].length;
  }
  if (at === 0) return [node];
  if (at < text.length) parts.push({ type: "text", value: text.slice(at) });
  return parts;
}

/** Every wiki link of a text that is no page: what it leads to is asked when it is drawn. */
export function rehypeWiki() {
  return (tree: Tree) => splitTexts(tree, (node) => splitWiki(node, () => true));
}
