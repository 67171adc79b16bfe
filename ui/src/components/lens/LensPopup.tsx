import { type ReactElement, useState } from "react";
import { Popup } from "../Popup";
import { LensForm, type LensFormProps } from "./LensForm";

type LensPopupProps = LensFormProps & {
  title: string;
  trigger: ReactElement<Record<string, unknown>>;
  /** Hangs from the left edge of its button. */
  start?: boolean;
  /** Its button stands in a dialog. */
  over?: boolean;
};

/** The form of a lens, hanging from a button until it is set. */
export function LensPopup({ title, trigger, start, over, onSet, ...form }: LensPopupProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popup open={open} onOpenChange={setOpen} title={title} trigger={trigger} start={start} over={over}>
      <LensForm
        {...form}
        onSet={async (spec) => {
          await onSet(spec);
          setOpen(false);
        }}
      />
    </Popup>
  );
}
