import { Select as Base } from "@base-ui/react/select";
import { clsx } from "clsx";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

type SelectProps<T extends string> = {
  label: string;
  value: T;
  onChange(value: T): void;
  options: { value: T; label: string; icon?: ReactNode }[];
  disabled?: boolean;
  ghost?: boolean;
  /** As wide as what it stands in. */
  wide?: boolean;
};

export function Select<T extends string>({
  label,
  value,
  onChange,
  options,
  disabled,
  ghost,
  wide,
}: SelectProps<T>) {
  const items = Object.fromEntries(options.map((option) => [option.value, option.label]));
  const chosen = options.find((option) => option.value === value);
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && onChange(next as T)}
      disabled={disabled}
    >
      <Base.Trigger
        aria-label={label}
        className={clsx(
          "inline-flex h-8 max-w-full items-center gap-2 rounded-md text-ui text-ink data-[disabled]:opacity-60",
          ghost ? "px-2 hover:bg-hover" : "border border-line-strong bg-paper px-3",
          wide && "w-full justify-between",
        )}
      >
        {chosen?.icon}
        <span className="truncate">
          <Base.Value />
        </span>
        <Base.Icon>
          <ChevronDown size={14} className="text-ink-3" aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-50">
          <Base.Popup className="appear max-h-[50vh] min-w-[var(--anchor-width)] overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex min-h-8 items-center gap-2 rounded-sm px-2 text-ui text-ink outline-none select-none data-[highlighted]:bg-hover"
              >
                {option.icon}
                <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                <span className="w-4">
                  <Base.ItemIndicator>
                    <Check size={14} className="text-accent" aria-hidden />
                  </Base.ItemIndicator>
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
