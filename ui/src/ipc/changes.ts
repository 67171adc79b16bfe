import type { ChangeTopic } from "./bindings.gen";
import { onDataChanged } from "./events";

type Listener = (topic: ChangeTopic) => void;

const listeners = new Set<Listener>();
let stop: (() => void) | undefined;

/** Tells every view at once about a write this window made; the core's own event may come a moment later. */
export function announce(topic: ChangeTopic): void {
  for (const listener of listeners) listener(topic);
}

/** Hears of every change, whoever made it. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  stop ??= onDataChanged(({ topic }) => announce(topic));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      stop?.();
      stop = undefined;
    }
  };
}
