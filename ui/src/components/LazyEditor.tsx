import { type ComponentType, lazy, Suspense, useState } from "react";
import type { EditorProps } from "./Editor";

let loaded: ComponentType<EditorProps> | undefined;

/**
 * The editor is half of the code of the window and not needed to read, so it comes late. Wait for this before
 * showing one: the first letters typed must find it in its place.
 */
export async function loadEditor(): Promise<void> {
  loaded = (await import("./Editor")).default;
}

const Late = lazy(() => import("./Editor"));

export function LazyEditor(props: EditorProps) {
  // Settled once: changing the component under a half-written text would begin it anew.
  const [Editor] = useState<ComponentType<EditorProps>>(() => loaded ?? Late);
  return (
    <Suspense fallback={<div className="memory-prose min-h-32 whitespace-pre-wrap">{props.value}</div>}>
      <Editor {...props} />
    </Suspense>
  );
}
