import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";
import type { ShortcutId } from "./shortcuts/table";
import { Tooltip } from "./Tooltip";

type Look = "primary" | "plain" | "ghost" | "danger";

const LOOKS: Record<Look, string> = {
  primary: "font-strong bg-accent text-on-accent hover:bg-accent-strong",
  plain: "font-strong border border-line bg-raised text-ink hover:bg-hover",
  ghost: "text-ink-2 hover:bg-hover hover:text-ink",
  danger: "font-strong border border-line bg-raised text-danger hover:bg-danger-wash",
};

type ButtonProps = ComponentProps<"button"> & { look?: Look };

export function Button({ look = "plain", className, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={clsx(
        "fc-border inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded-md px-3 text-ui whitespace-nowrap",
        "transition-colors disabled:pointer-events-none disabled:opacity-50",
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  label: string;
  shortcut?: ShortcutId;
  children: ReactNode;
};

/** A button with a picture only: its name is in the tooltip and in the accessibility tree. */
export function IconButton({
  label,
  shortcut,
  className,
  type = "button",
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type={type}
        aria-label={label}
        className={clsx(
          "fc-border inline-flex size-8 shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors",
          "hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-50 aria-pressed:text-accent",
          className,
        )}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
