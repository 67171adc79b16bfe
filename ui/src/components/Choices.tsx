import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { clsx } from "clsx";

type ChoicesProps<T extends string> = {
  label: string;
  value: T;
  onChange(value: T): void;
  options: readonly { value: T; label: string; note?: string; className?: string }[];
  disabled?: boolean;
  /** How many stand side by side. */
  className?: string;
};

/** One of a few, each with a line that says what it means. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { label, value, onChange, options, disabled, className } = props;
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      disabled={disabled}
      onValueChange={(next) => onChange(next as T)}
      className={clsx("grid gap-px overflow-hidden rounded-md border border-line bg-line", className)}
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          aria-label={option.label}
          className={clsx(
            "focus-inset flex gap-3 p-4 text-left",
            value === option.value ? "bg-accent-wash" : "bg-paper hover:bg-raised",
            option.className,
          )}
        >
          <span
            className={clsx(
              "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-full border",
              value === option.value ? "border-accent" : "border-line-strong",
            )}
          >
            <Radio.Indicator className="size-2 rounded-full bg-accent" />
          </span>
          <span>
            <span className="block text-ui text-ink">{option.label}</span>
            {option.note !== undefined && (
              <span className="block text-meta text-pretty text-ink-2">{option.note}</span>
            )}
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
