import { splitTexts, type Tree } from "../rehypeText";
import { type FoundName, type NameIndex, namesIn } from "./nameIndex";

/** The element that stands for a name until it is drawn. Markdown cannot write it: its own HTML is left out. */
export const NAME_TAG = "var";
/** What it says: the subject, and whether the text has named it before. */
export const NAME_ATTRIBUTES = ["dataSubject", "dataRepeat"];

export type NameOptions = { index: NameIndex; own: string | undefined };

/** The names in a text that are links: all but those of what it is about. */
export const linksIn = (text: string, { index, own }: NameOptions): FoundName[] =>
  namesIn(text, index).filter((name) => name.id !== own);

/** Names of subjects become elements of their own, but not in code and links. */
export function rehypeNames(options: NameOptions) {
  return (tree: Tree) => {
    const named = new Set<string>();
    const nameOf = (text: string, { start, end, id }: FoundName): Tree => {
      const isRepeat = named.has(id);
      named.add(id);
      return {
        type: "element",
        tagName: NAME_TAG,
        properties: { dataSubject: id, ...(isRepeat && { dataRepeat: "" }) },
        children: [{ type: "text", value: text.slice(start, end) }],
      };
    };
    const split = (node: Tree): Tree[] => {
      const text = node.value ?? "";
      const found = linksIn(text, options);
      if (found.length === 0) return [node];
      const parts: Tree[] = [];
      let at = 0;
      for (const name of found) {
        if (name.start > at) parts.push({ type: "text", value: text.slice(at, name.start) });
        parts.push(nameOf(text, name));
        at = name.end;
      }
      if (at < text.length) parts.push({ type: "text", value: text.slice(at) });
      return parts;
    };
    splitTexts(tree, split);
  };
}
