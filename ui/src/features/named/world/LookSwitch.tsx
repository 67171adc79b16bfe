import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { useEffect, useRef } from "react";
import { useI18n } from "../../../i18n/i18n";
import { LOOKS, type Look } from "./view";

type SwitchProps = {
  value: Look;
  /** It was just switched: the other page has the switch in another place, and the focus follows it. */
  focused: boolean;
  onChange(look: Look): void;
};

/** The world as a list or as a graph. */
export function LookSwitch({ value, focused, onChange }: SwitchProps) {
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) box.current?.querySelector<HTMLElement>("[role=radio][aria-checked=true]")?.focus();
  }, [focused]);
  return (
    <RadioGroup
      ref={box}
      aria-label={t("graph.look")}
      value={value}
      onValueChange={(next) => onChange(next as Look)}
      className="fc-border inline-flex shrink-0 rounded-md bg-sunken p-0.5"
    >
      {LOOKS.map((look) => (
        <Radio.Root
          key={look}
          value={look}
          className={
            look === value
              ? "inline-flex h-7 items-center rounded-sm border border-line-strong bg-paper px-2.5 text-ui text-ink"
              : "inline-flex h-7 items-center rounded-sm border border-transparent px-2.5 text-ui text-ink-2 hover:text-ink"
          }
        >
          {t(`graph.look.${look}`)}
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
