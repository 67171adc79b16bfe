import { autocompletion, closeCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder as placeholderText } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "react";
import { useSpelling } from "../preferences/useSpelling";
import { useLatest } from "./hooks";
import { type FindNames, linkCompletion } from "./linkCompletion";

const INK = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.quote], color: "var(--ink-2)", fontStyle: "italic" },
  { tag: [tags.monospace], fontFamily: "var(--font-mono)", fontSize: "0.875em" },
  { tag: [tags.processingInstruction, tags.meta, tags.contentSeparator], color: "var(--ink-3)" },
]);

/** What may change while an editor is open. */
const SPELLING = new Compartment();

const spellingOf = ({ spellCheck, lang }: ReturnType<typeof useSpelling>) =>
  EditorView.contentAttributes.of({ spellcheck: String(spellCheck), ...(lang ? { lang } : {}) });

export type EditorProps = {
  label: string;
  value: string;
  onChange(value: string): void;
  onSave?(): void;
  onEscape?(): void;
  placeholder?: string;
  autoFocus?: boolean;
  /** Names to offer behind `[[`. */
  findNames?: FindNames;
};

/** A markdown editor. `value` only replaces the text when it differs from what is written. */
export default function Editor({
  label,
  value,
  onChange,
  onSave,
  onEscape,
  placeholder,
  autoFocus,
  findNames,
}: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const calls = useLatest({ onChange, onSave, onEscape, findNames });
  const spelling = useSpelling();
  const start = useRef({ value, label, placeholder, autoFocus, spelling });

  useEffect(() => {
    const { value, label, placeholder, autoFocus, spelling } = start.current;
    const save = () => {
      calls.current.onSave?.();
      return true;
    };
    const leave = () => {
      const { onEscape } = calls.current;
      onEscape?.();
      return onEscape !== undefined;
    };
    const own = keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      { key: "Mod-Enter", run: save },
      { key: "Escape", run: leave },
    ]);
    const names = autocompletion({
      override: [linkCompletion(async (typed) => (await calls.current.findNames?.(typed)) ?? [])],
      icons: false,
      activateOnTypingDelay: 80,
    });
    // The list of names goes first, and takes nothing else with it.
    const closeNames = Prec.highest(
      keymap.of([{ key: "Escape", run: closeCompletion, stopPropagation: true }]),
    );
    const editor = new EditorView({
      parent: host.current ?? undefined,
      state: EditorState.create({
        doc: value,
        selection: { anchor: value.length },
        extensions: [
          closeNames,
          own,
          names,
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          markdown(),
          syntaxHighlighting(INK),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label }),
          SPELLING.of(spellingOf(spelling)),
          placeholderText(placeholder ?? ""),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    if (autoFocus) editor.focus();
    return () => editor.destroy();
  }, [calls]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    }
  }, [value]);

  const { spellCheck, lang } = spelling;
  useEffect(() => {
    view.current?.dispatch({ effects: SPELLING.reconfigure(spellingOf({ spellCheck, lang })) });
  }, [spellCheck, lang]);

  return <div ref={host} className="min-h-32" />;
}
