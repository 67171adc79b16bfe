import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { ShortcutKeys } from "./Keys";
import type { ShortcutId } from "./shortcuts/table";

const ITEM =
  "flex min-h-8 items-center gap-2 rounded-sm px-2 text-ui text-ink outline-none select-none data-[highlighted]:bg-hover data-[disabled]:opacity-50";

type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>;
  children: ReactNode;
  align?: "start" | "center" | "end";
  side?: "top" | "bottom" | "right";
  className?: string;
  /** What has the focus when it has closed: the button, unless an element is given. */
  finalFocus?: () => HTMLElement | true;
};

export function Menu(props: MenuProps) {
  const { trigger, children, align = "start", side = "bottom", className, finalFocus } = props;
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={4} className="z-50">
          <Base.Popup
            finalFocus={finalFocus}
            className={clsx(
              "appear max-h-[60vh] min-w-48 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-pop outline-none",
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = {
  onSelect(): void;
  icon?: ReactNode;
  shortcut?: ShortcutId;
  danger?: boolean;
  disabled?: boolean;
  children: ReactNode;
};

export function MenuItem({ onSelect, icon, shortcut, danger, disabled, children }: ItemProps) {
  return (
    <Base.Item onClick={onSelect} disabled={disabled} className={clsx(ITEM, danger && "text-danger")}>
      {icon && <span className="text-ink-3">{icon}</span>}
      <span className="flex-1">{children}</span>
      {shortcut && <ShortcutKeys id={shortcut} />}
    </Base.Item>
  );
}

type ChoiceProps<T extends string> = {
  label?: string;
  value: T | null;
  onChange(value: T): void;
  options: { value: T; label: string; icon?: ReactNode; note?: string }[];
};

/** A group of which one is chosen. */
export function MenuChoice<T extends string>({ label, value, onChange, options }: ChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick className={ITEM}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          {option.note && <span className="tabular text-meta text-ink-3">{option.note}</span>}
          <span className="w-4">
            <Base.RadioItemIndicator>
              <Check size={14} className="text-accent" aria-hidden />
            </Base.RadioItemIndicator>
          </span>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuLine() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />;
}
