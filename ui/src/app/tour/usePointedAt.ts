import { useEffect, useState } from "react";
import { POINTING, type Step } from "./steps";

function find(step: Step): Element | null {
  const { at, otherwise } = POINTING[step];
  return document.querySelector(at) ?? document.querySelector(otherwise);
}

/** The element that a step points at, which is marked. Pages come and go under the tour, so it is looked for again. */
export function usePointedAt(step: Step): Element | null {
  const [element, setElement] = useState<Element | null>(null);
  useEffect(() => {
    const look = () => setElement(find(step));
    look();
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { childList: true, subtree: true });
    return () => watcher.disconnect();
  }, [step]);
  useEffect(() => {
    if (!(element instanceof HTMLElement)) return;
    element.dataset.pointed = "";
    element.scrollIntoView({ block: "nearest" });
    return () => {
      delete element.dataset.pointed;
    };
  }, [element]);
  return element;
}
