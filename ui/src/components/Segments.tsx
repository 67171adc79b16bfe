import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import type { ReactNode, RefObject } from "react";

type SegmentsProps<T extends string> = {
  label: string;
  value: T;
  onChange(value: T): void;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  box?: RefObject<HTMLDivElement | null>;
};

/** One of a few short words, all in view. */
export function Segments<T extends string>({ label, value, onChange, options, box }: SegmentsProps<T>) {
  return (
    <RadioGroup
      ref={box}
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="fc-border inline-flex shrink-0 rounded-md bg-sunken p-0.5"
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          className={
            option.value === value
              ? "inline-flex h-7 items-center gap-2 rounded-sm border border-line-strong bg-paper px-2.5 text-ui text-ink"
              : "inline-flex h-7 items-center gap-2 rounded-sm border border-transparent px-2.5 text-ui text-ink-2 hover:text-ink"
          }
        >
          {option.icon}
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
