/** The text that is selected within an element; empty if nothing is, or if the selection goes beyond it. */
export function selectionIn(element: Element | null): string {
  const selection = window.getSelection();
  if (!element || !selection || selection.isCollapsed) return "";
  const { anchorNode, focusNode } = selection;
  return element.contains(anchorNode) && element.contains(focusNode) ? selection.toString().trim() : "";
}
