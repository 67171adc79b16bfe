import { lazy, Suspense } from "react";
import type { EditorProps } from "./Editor";

const Loaded = lazy(() => import("./Editor"));

/** The editor is half of the code of the window and not needed to read: it comes when someone writes. */
export function LazyEditor(props: EditorProps) {
  return (
    <Suspense fallback={<div className="memory-prose min-h-32 whitespace-pre-wrap">{props.value}</div>}>
      <Loaded {...props} />
    </Suspense>
  );
}
