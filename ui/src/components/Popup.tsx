import { Popover } from "@base-ui/react/popover";
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
  children: ReactNode;
};

/** A panel that hangs from its button. */
export function Popup({ open, onOpenChange, title, trigger, over, start, children }: PopupProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align={start ? "start" : "end"} sideOffset={4} className={over ? "z-50" : "z-30"}>
          <Popover.Popup className="appear max-h-[calc(100vh-140px)] w-72 overflow-y-auto rounded-md border border-line bg-raised p-3 shadow-pop outline-none">
            <Popover.Title className="sr-only">{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
