import type { ReactNode } from "react";
import type { Span } from "../ipc/bindings.gen";
import { visible } from "./visible";

/** Marks the spans of a text. Only ever text nodes: what a memory says can never become markup. */
export function Highlight({ text, spans }: { text: string; spans: readonly Span[] }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at || end > text.length || end <= start) continue;
    if (start > at) parts.push(visible(text.slice(at, start)));
    parts.push(
      <mark key={start} className="rounded-[2px] bg-mark text-mark-ink">
        {visible(text.slice(start, end))}
      </mark>,
    );
    at = end;
  }
  parts.push(visible(text.slice(at)));
  return <>{parts}</>;
}
