import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";
import { Keys } from "./Keys";

export const TooltipProvider = Base.Provider;

type TooltipProps = {
  text: string;
  keys?: string;
  side?: "top" | "right";
  disabled?: boolean;
  children: ReactElement<Record<string, unknown>>;
};

export function Tooltip({ text, keys, side, disabled, children }: TooltipProps) {
  return (
    <Base.Root disabled={disabled}>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="flex max-w-80 items-center gap-2 rounded-sm border border-line bg-raised px-2 py-1 text-meta text-ink shadow-pop">
            {text}
            {keys && <Keys keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
