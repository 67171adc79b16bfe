import { Popover } from "@base-ui/react/popover";
import { clsx } from "clsx";
import type { ReactElement, ReactNode } from "react";

type PopupProps = {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  trigger: ReactElement<Record<string, unknown>>;
  /** Its button may stand in a dialog, which it must not hang behind. */
  over?: boolean;
  /** Hangs from the left edge of its button. */
  start?: boolean;
  /** As wide as its button. */
  fit?: boolean;
  children: ReactNode;
};

/** A panel that hangs from its button. */
export function Popup({ open, onOpenChange, title, trigger, over, start, fit, children }: PopupProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          align={start || fit ? "start" : "end"}
          sideOffset={4}
          className={over ? "z-50" : "z-30"}
        >
          <Popover.Popup
            className={clsx(
              "appear max-h-[calc(100vh-8.75rem)] overflow-y-auto rounded-md border border-line bg-raised p-3 shadow-pop outline-none",
              fit ? "w-(--anchor-width)" : "w-72",
            )}
          >
            <Popover.Title className="sr-only">{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
