import { splitTexts, type Tree, WIKI_TAG } from "../rehypeText";
import { headingName, type PageTextValue } from "./context";

const WIKI = /!?\[\[([^[\]\n]+)\]\]/g;
/** Between a page and a heading of it. */
const WITHIN = " > ";
const HEADING = /^h[1-6]$/;

/** Wiki links that the page has become elements of their own, and headings get the ids that one can jump to. */
export function rehypePage({ offset, linkOf }: PageTextValue) {
  const split = (node: Tree): Tree[] => {
    const text = node.value ?? "";
    const parts: Tree[] = [];
    let at = 0;
    for (const match of text.matchAll(WIKI)) {
      const [target = "", ...label] = (match[1] ?? "").split("|");
      const written = target.trim();
      if (!linkOf(written)) continue;
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
  };
  const nameHeadings = (node: Tree): void => {
    const start = node.position?.start.offset;
    if (HEADING.test(node.tagName ?? "") && start !== undefined)
      node.properties = { ...node.properties, id: headingName(start + offset) };
    node.children?.forEach(nameHeadings);
  };
  return (tree: Tree) => {
    nameHeadings(tree);
    splitTexts(tree, split);
  };
}
