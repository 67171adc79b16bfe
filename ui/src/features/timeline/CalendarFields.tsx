import { Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button, IconButton } from "../../components/Button";
import { INPUT } from "../../components/Fields";
import { useI18n } from "../../i18n/i18n";

type PartProps = { title: string; note?: string; add?: string; onAdd?(): void; children: ReactNode };

export function Part({ title, note, add, onAdd, children }: PartProps) {
  return (
    <section>
      <div className="mb-3 flex min-h-8 items-center gap-3 border-b border-line pb-2">
        <h2 className="text-lead font-strong text-ink">{title}</h2>
        {note && <span className="text-meta text-ink-2">{note}</span>}
        <span className="flex-1" />
        {add && (
          <Button look="ghost" onClick={onAdd}>
            <Plus size={14} aria-hidden />
            {add}
          </Button>
        )}
      </div>
      {children}
    </section>
  );
}

type InputProps<T> = { label: string; value: T; onChange(value: T): void };

export function NameInput({ label, value, onChange }: InputProps<string>) {
  return (
    <input
      aria-label={label}
      className={`${INPUT} w-44!`}
      value={value}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type NumberProps = InputProps<number> & { min?: number; step?: "any" };

/** A number as it is typed. While it is none, the last one counts. */
export function NumberInput({ label, value, min, step, onChange }: NumberProps) {
  const [text, setText] = useState(String(value));
  const shown =
    text !== "" && Number(text) === value ? text : text === "" || text === "-" ? text : String(value);
  return (
    <input
      type="number"
      aria-label={label}
      className={`${INPUT} tabular w-24!`}
      value={shown}
      min={min}
      step={step}
      onChange={(event) => {
        setText(event.target.value);
        const next = event.target.valueAsNumber;
        if (Number.isFinite(next)) onChange(next);
      }}
      onBlur={() => setText(String(value))}
    />
  );
}

export function NumberField(props: NumberProps) {
  return (
    <div>
      <p className="mb-1 text-meta text-ink-2" aria-hidden>
        {props.label}
      </p>
      <NumberInput {...props} />
    </div>
  );
}

export function Remove({ name, disabled, onClick }: { name: string; disabled?: boolean; onClick(): void }) {
  const { t } = useI18n();
  return (
    <IconButton label={t("calendar.remove", { name })} disabled={disabled} onClick={onClick}>
      <X size={14} aria-hidden />
    </IconButton>
  );
}
