import { clsx } from "clsx";
import { Eye, X } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";

const FACE = "inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-sm text-meta";

/** What a chip shows of a lens. */
export function ChipFace({ children }: { children: string }) {
  return (
    <>
      <Eye size={13} strokeWidth={1.75} className="shrink-0" aria-hidden />
      <span className="truncate">{children}</span>
    </>
  );
}

type ChipButtonProps = ComponentProps<"button"> & { on: boolean; children: string };

/** The summary of a lens as a button, or the offer to set one. */
export function ChipButton({ on, children, ...rest }: ChipButtonProps) {
  return (
    <button
      type="button"
      className={clsx(
        FACE,
        on ? "pr-1 pl-2 text-ink hover:text-accent-strong" : "px-2 text-ink-2 hover:bg-hover hover:text-ink",
      )}
      {...rest}
    >
      <ChipFace>{children}</ChipFace>
    </button>
  );
}

/** A summary that is no button, or one that says why it cannot be changed. */
export const PLAIN_CHIP = `fc-border ${FACE} bg-accent-wash px-2 text-ink`;

type LensChipProps = {
  /** False: no lens is in force. */
  on?: boolean;
  /** The summary, or the button of it. */
  children: ReactNode;
  /** What its cross does, in words. */
  clear: string;
  /** Not given: it cannot be lifted here. */
  onClear: (() => void) | undefined;
  className?: string;
};

/** A lens in force, with a cross that lifts it. */
export function LensChip({ on = true, children, clear, onClear, className }: LensChipProps) {
  const box = useRef<HTMLSpanElement>(null);
  return (
    <span
      ref={box}
      className={clsx(
        "inline-flex h-6 max-w-full min-w-0 items-center rounded-sm",
        on && "fc-border bg-accent-wash",
        className,
      )}
    >
      {children}
      {on && onClear && (
        <button
          type="button"
          title={clear}
          aria-label={clear}
          onClick={() => {
            // The cross goes; what stays of the chip takes the focus.
            box.current?.querySelector("button")?.focus();
            onClear();
          }}
          className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:text-ink"
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}
