import { draftStore } from "../../components/draftStore";

type Draft = { text: string; files: readonly string[] };

const NOTHING: Draft = { text: "", files: [] };

/** Messages that are not sent yet and the files to attach to them, by conversation. */
const { get, set, drop, useDraft } = draftStore<Draft>({ closeBody: "conversation.closeBody" });

const draftOf = (id: string): Draft => get(id) ?? NOTHING;

function put(id: string, draft: Draft): void {
  if (draft.text === "" && draft.files.length === 0) drop(id);
  else set(id, draft);
}

export function setUnsent(id: string, text: string): void {
  put(id, { ...draftOf(id), text });
}

/** Adds files by their paths, each once. */
export function attachFiles(id: string, files: readonly string[]): void {
  const draft = draftOf(id);
  put(id, { ...draft, files: [...new Set([...draft.files, ...files])] });
}

export function detachFile(id: string, file: string): void {
  const draft = draftOf(id);
  put(id, { ...draft, files: draft.files.filter((it) => it !== file) });
}

export const getUnsent = draftOf;
export const dropUnsent = drop;

/** `sent` was sent. What was typed behind it and attached since then stays; so does a text that was changed. */
export function settleUnsent(id: string, sent: Draft): void {
  const { text, files } = draftOf(id);
  put(id, {
    text: text.startsWith(sent.text) ? text.slice(sent.text.length).trimStart() : text,
    files: files.filter((it) => !sent.files.includes(it)),
  });
}

export const useUnsent = (id: string): string => useDraft(id)?.text ?? NOTHING.text;

export const useAttached = (id: string): readonly string[] => useDraft(id)?.files ?? NOTHING.files;
