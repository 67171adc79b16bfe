import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { ShortcutKeys } from "./Keys";
import type { ShortcutId } from "./shortcuts/table";

export const TooltipProvider = Base.Provider;

type TooltipProps = {
  text: string;
  shortcut?: ShortcutId;
  side?: "top" | "right";
  disabled?: boolean;
  children: ReactElement<Record<string, unknown>>;
};

export function Tooltip({ text, shortcut, side, disabled, children }: TooltipProps) {
  return (
    <Base.Root disabled={disabled}>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="flex max-w-80 items-center gap-2 rounded-sm border border-line bg-raised px-2 py-1 text-meta text-ink shadow-pop">
            {text}
            {shortcut && <ShortcutKeys id={shortcut} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
