import { useEffect, useState } from "react";
import { useI18n } from "../i18n/i18n";
import { INPUT, Problem } from "./Fields";
import { useLatest } from "./hooks";

type CountProps = {
  label: string;
  value: number;
  limits: readonly [number, number];
  disabled: boolean;
  /** What it gives settles when the number was written or refused: then the field shows what is true. */
  onChange(value: number): void | Promise<void>;
};

/** A whole number, written when the hand leaves it. */
export function Count({ label, value, limits: [min, max], disabled, onChange }: CountProps) {
  const { t } = useI18n();
  const [text, setText] = useState(String(value));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setText(String(value));
    setWrong(false);
  }, [value]);
  const latest = useLatest(value);
  const commit = async () => {
    const next = Number(text.trim());
    const fits = text.trim() !== "" && Number.isInteger(next) && next >= min && next <= max;
    setWrong(!fits);
    if (!fits || next === value) return;
    const written = onChange(next);
    if (!written) return;
    await written;
    // After the answer was drawn.
    setTimeout(() => setText(String(latest.current)), 0);
  };
  return (
    <div className="text-right">
      <input
        inputMode="numeric"
        aria-label={label}
        aria-invalid={wrong || undefined}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void commit()}
        onKeyDown={(event) => event.key === "Enter" && void commit()}
        className={`${INPUT} tabular w-24! text-right`}
      />
      <Problem className="mt-1">{wrong && t("settings.conversation.between", { min, max })}</Problem>
    </div>
  );
}
