import { splitTexts, type Tree } from "../rehypeText";
import { splitWiki } from "../rehypeWiki";
import { headingName, type PageTextValue } from "./context";

const HEADING = /^h[1-6]$/;

/** Wiki links that the page has become elements of their own, and headings get the ids that one can jump to. */
export function rehypePage({ offset, linkOf }: PageTextValue) {
  const nameHeadings = (node: Tree): void => {
    const start = node.position?.start.offset;
    if (HEADING.test(node.tagName ?? "") && start !== undefined)
      node.properties = { ...node.properties, id: headingName(start + offset) };
    node.children?.forEach(nameHeadings);
  };
  return (tree: Tree) => {
    nameHeadings(tree);
    splitTexts(tree, (node) => splitWiki(node, (written) => linkOf(written) !== undefined));
  };
}
