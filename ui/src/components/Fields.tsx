import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Slider as BaseSlider } from "@base-ui/react/slider";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";

export const INPUT =
  "h-8 w-full rounded-md border border-line-strong bg-paper px-3 text-ui text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 disabled:opacity-60";

type ProblemProps = { id?: string; className?: string; children: ReactNode };

/** What is wrong, told below what it is about. Nothing while nothing is. */
export function Problem({ id, className, children }: ProblemProps) {
  if (!children) return null;
  return (
    <p id={id} role="alert" className={clsx("text-meta text-danger", className)}>
      {children}
    </p>
  );
}

type LabelledProps = { label: string; children: ReactNode };

/** A part of a form, below its name. A choice has to have that name too, for those who do not see it. */
export function Labelled({ label, children }: LabelledProps) {
  return (
    <div>
      <p className="mb-1 text-meta text-ink-2">{label}</p>
      {children}
    </div>
  );
}

type TextFieldProps = ComponentProps<"input"> & { label: string; error?: string | null };

export function TextField({ label, error, className, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-meta text-ink-2">
        {label}
      </label>
      <input
        id={id}
        className={INPUT}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        autoComplete="off"
        spellCheck={false}
        {...rest}
      />
      <Problem id={`${id}-error`} className="mt-1">
        {error}
      </Problem>
    </div>
  );
}

type CheckboxProps = {
  checked: boolean;
  onChange(checked: boolean): void;
  disabled?: boolean;
  children: ReactNode;
};

export function Checkbox({ checked, onChange, disabled, children }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-ui text-ink">
      <BaseCheckbox.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className={clsx(
          "mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border data-[disabled]:opacity-50",
          checked ? "border-accent bg-accent text-on-accent" : "border-line-strong bg-paper",
        )}
      >
        <BaseCheckbox.Indicator>
          <Check size={12} strokeWidth={3} aria-hidden />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <label htmlFor={id}>{children}</label>
    </div>
  );
}

type SwitchProps = { label: string; checked: boolean; onChange(checked: boolean): void; disabled?: boolean };

export function Switch({ label, checked, onChange, disabled }: SwitchProps) {
  return (
    <BaseSwitch.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      className={clsx(
        "fc-border relative inline-flex h-6 w-10 shrink-0 items-center rounded-full border transition-colors disabled:opacity-50",
        checked ? "border-accent bg-accent" : "border-line-strong bg-sunken",
      )}
    >
      <BaseSwitch.Thumb
        className={clsx(
          "block size-4 rounded-full transition-transform",
          checked ? "translate-x-4.75 bg-on-accent" : "translate-x-0.75 bg-line-strong",
        )}
      />
    </BaseSwitch.Root>
  );
}

type SliderProps = {
  label: string;
  value: number;
  onChange(value: number): void;
  onCommit?(value: number): void;
  disabled?: boolean;
};

/** A share between 0 and 1 in steps of five hundredths. */
export function ShareSlider({ label, value, onChange, onCommit, disabled }: SliderProps) {
  return (
    <BaseSlider.Root
      value={value}
      onValueChange={(next) => onChange(next as number)}
      onValueCommitted={(next) => onCommit?.(next as number)}
      min={0}
      max={1}
      step={0.05}
      disabled={disabled}
      className={clsx("w-full", disabled && "opacity-60")}
    >
      <BaseSlider.Control className="flex h-6 w-full touch-none items-center select-none">
        <BaseSlider.Track className="fc-border h-1 w-full rounded-full bg-line">
          <BaseSlider.Indicator className="rounded-full bg-accent" />
          <BaseSlider.Thumb
            aria-label={label}
            className="size-4 rounded-full border-2 border-accent bg-raised has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
          />
        </BaseSlider.Track>
      </BaseSlider.Control>
    </BaseSlider.Root>
  );
}
