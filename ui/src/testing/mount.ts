import type { ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";

const mounted = new Map<Root, HTMLElement>();

/** Puts a page into the document as the program does: with the build of React that is shipped, which has no `act`. */
export function mount(node: ReactNode): void {
  const container = document.body.appendChild(document.createElement("div"));
  const root = createRoot(container);
  mounted.set(root, container);
  root.render(node);
}

export function unmountAll(): void {
  for (const [root, container] of mounted) {
    root.unmount();
    container.remove();
  }
  mounted.clear();
}
