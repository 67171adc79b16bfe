import { type ComponentType, lazy, Suspense, useState } from "react";
import type { LensSpec } from "../ipc/bindings.gen";
import type { EditorProps } from "./Editor";
import { useLinkNames } from "./names/useLinkNames";

let loaded: ComponentType<EditorProps> | undefined;

/**
 * The editor is half of the code of the window and not needed to read, so it comes late. Wait for this before
 * showing one: the first letters typed must find it in its place.
 */
export async function loadEditor(): Promise<void> {
  loaded = (await import("./Editor")).default;
}

const Late = lazy(() => import("./Editor"));

type LazyEditorProps = Omit<EditorProps, "findNames"> & {
  /** Whose knowledge the text is read with: only names that it shows are offered. */
  lens?: LensSpec | null;
};

export function LazyEditor({ lens = null, ...props }: LazyEditorProps) {
  const findNames = useLinkNames(lens);
  // Settled once: changing the component under a half-written text would begin it anew.
  const [Editor] = useState<ComponentType<EditorProps>>(() => loaded ?? Late);
  return (
    <Suspense fallback={<div className="memory-prose min-h-32 whitespace-pre-wrap">{props.value}</div>}>
      <Editor {...props} findNames={findNames} />
    </Suspense>
  );
}
