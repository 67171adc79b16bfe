import type { EditorProps } from "../components/Editor";
import { useSpelling } from "../preferences/useSpelling";

/** Stands in for CodeMirror in component tests: the same contract on a plain text field. */
export default function Editor({ label, value, onChange, onSave, onEscape }: EditorProps) {
  const spelling = useSpelling();
  return (
    <textarea
      {...spelling}
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
