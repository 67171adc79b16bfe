import { useEffect, useState } from "react";
import { useI18n } from "../i18n/i18n";
import { INPUT } from "./Fields";

type CountProps = {
  label: string;
  value: number;
  limits: readonly [number, number];
  disabled: boolean;
  onChange(value: number): void;
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
  const commit = () => {
    const next = Number(text.trim());
    const fits = text.trim() !== "" && Number.isInteger(next) && next >= min && next <= max;
    setWrong(!fits);
    if (fits && next !== value) onChange(next);
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
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
        className={`${INPUT} tabular w-24! text-right`}
      />
      {wrong && (
        <p role="alert" className="mt-1 text-meta text-danger">
          {t("settings.talk.between", { min, max })}
        </p>
      )}
    </div>
  );
}
