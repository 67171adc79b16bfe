import type { EditorProps } from "../components/Editor";

/** Stands in for CodeMirror in component tests: the same contract on a plain text field. */
export default function Editor({ label, value, onChange, onSave, onEscape }: EditorProps) {
  return (
    <textarea
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.ctrlKey && event.key === "s") onSave?.();
        if (event.key === "Escape" && onEscape) {
          event.preventDefault();
          onEscape();
        }
      }}
    />
  );
}
