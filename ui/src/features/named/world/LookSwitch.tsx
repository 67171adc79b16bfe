import { useEffect, useRef } from "react";
import { Segments } from "../../../components/Segments";
import { useI18n } from "../../../i18n/i18n";
import { LOOKS, type Look } from "./view";

type SwitchProps = {
  value: Look;
  /** It was just switched: the other page has the switch in another place, and the focus follows it. */
  focused: boolean;
  onChange(look: Look): void;
};

/** The world as a list of subjects, as a graph, or as facts. */
export function LookSwitch({ value, focused, onChange }: SwitchProps) {
  const { t } = useI18n();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) box.current?.querySelector<HTMLElement>("[role=radio][aria-checked=true]")?.focus();
  }, [focused]);
  return (
    <Segments
      box={box}
      label={t("graph.look")}
      value={value}
      onChange={onChange}
      options={LOOKS.map((look) => ({ value: look, label: t(`graph.look.${look}`) }))}
    />
  );
}
