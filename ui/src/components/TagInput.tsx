import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { useI18n } from "../i18n/i18n";

type TagInputProps = {
  label: string;
  tags: string[];
  onChange(tags: string[]): void;
  disabled?: boolean;
  /** The words for adding one and for removing one, if they are no tags. */
  add?: string;
  remove?(tag: string): string;
};

/** Tags are kept as typed, without the outer blanks and any leading #; the core has the last word on their form. */
function clean(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim().replace(/^#+/, ""))
    .filter((tag) => tag !== "");
}

export function TagInput({ label, tags, onChange, disabled, add: addLabel, remove }: TagInputProps) {
  const { t } = useI18n();
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const adding = addLabel ?? t("prop.tagsAdd");
  const add = () => {
    const fresh = clean(text).filter((tag) => !tags.includes(tag));
    setText("");
    if (fresh.length > 0) onChange([...tags, ...new Set(fresh)]);
  };
  return (
    <ul className="flex flex-wrap items-center gap-1" aria-label={label}>
      {tags.map((tag) => (
        <li
          key={tag}
          className="fc-border inline-flex h-6 items-center rounded-sm bg-sunken pl-2 text-meta text-ink"
        >
          <span className={disabled ? "pr-2" : undefined}>{tag}</span>
          {!disabled && (
            <button
              type="button"
              aria-label={remove ? remove(tag) : t("prop.tagsRemove", { tag })}
              onClick={() => {
                onChange(tags.filter((it) => it !== tag));
                input.current?.focus();
              }}
              className="inline-flex size-6 items-center justify-center rounded-sm text-ink-3 hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          )}
        </li>
      ))}
      {!disabled && (
        <li className="relative flex min-w-28 flex-1 items-center">
          <Plus size={12} className="pointer-events-none absolute left-1.5 text-ink-3" aria-hidden />
          <input
            ref={input}
            value={text}
            aria-label={adding}
            placeholder={adding}
            onChange={(event) => setText(event.target.value)}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key === "Enter" || event.key === ",") {
                event.preventDefault();
                add();
              } else if (event.key === "Backspace" && text === "" && tags.length > 0) {
                onChange(tags.slice(0, -1));
              }
            }}
            className="h-6 w-full rounded-sm bg-transparent pr-1 pl-5 text-meta text-ink placeholder:text-ink-3 focus-visible:outline-offset-0"
          />
        </li>
      )}
    </ul>
  );
}
