import type { Completion, CompletionContext, CompletionSource } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";

/** A name that a link can have. */
export type LinkName = {
  name: string;
  /** What goes by it. */
  detail: string;
};

export type FindNames = (typed: string) => Promise<readonly LinkName[]>;

/** What is typed of a link so far: neither its heading nor the text that is shown for it. */
const BEGUN = /\[\[[^[\]\n|#]*$/;
const END = "]]";

/** Writes the name and closes the link, unless it is closed already. */
function apply(view: EditorView, { label }: Completion, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + END.length) === END;
  view.dispatch({
    changes: { from, to, insert: isClosed ? label : label + END },
    selection: { anchor: from + label.length + END.length },
    userEvent: "input.complete",
  });
}

/** Offers names behind `[[`. */
export function linkCompletion(find: FindNames): CompletionSource {
  return async (context: CompletionContext) => {
    const begun = context.matchBefore(BEGUN);
    if (!begun) return null;
    const names = await find(begun.text.slice(2).trim());
    if (context.aborted || names.length === 0) return null;
    return {
      from: begun.from + 2,
      options: names.map(({ name, detail }) => ({ label: name, detail, apply })),
      filter: false,
    };
  };
}
