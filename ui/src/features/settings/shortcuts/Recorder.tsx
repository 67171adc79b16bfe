import { clsx } from "clsx";
import { type KeyboardEvent, useState } from "react";
import { Keys, useStrokeText } from "../../../components/Keys";
import { isSingle, refusalOf, type Stroke, strokeOf } from "../../../components/shortcuts/strokes";
import { useI18n } from "../../../i18n/i18n";
import { singleKeys } from "../../../preferences/preferences";

type RecorderProps = {
  /** What the shortcut does. */
  name: string;
  /** The keys that it has; `null` for none. */
  stroke: Stroke | null;
  onBegin(): void;
  onLeave(): void;
  onRefused(reason: string): void;
  onStroke(stroke: Stroke): void;
};

/** Shows the keys of a shortcut. Pressed, it takes the next ones that are pressed; Escape and Tab leave it. */
export function Recorder({ name, stroke, onBegin, onLeave, onRefused, onStroke }: RecorderProps) {
  const { t } = useI18n();
  const text = useStrokeText();
  const [isOn, setIsOn] = useState(false);
  const leave = () => {
    if (!isOn) return;
    setIsOn(false);
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (!isOn) return;
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    // The way on must stay open for those who only have a keyboard.
    if (event.key === "Tab" && isPlain) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (event.key === "Escape" && isPlain) return leave();
    const pressed = strokeOf(event);
    if (pressed === null) return;
    const refusal = refusalOf(pressed, event);
    if (refusal) return onRefused(t(`shortcuts.refused.${refusal}`, { keys: text(pressed) }));
    if (isSingle(pressed) && singleKeys.get() === "off") return onRefused(t("shortcuts.refused.single"));
    setIsOn(false);
    if (pressed === stroke) onLeave();
    else onStroke(pressed);
  };
  const label = isOn
    ? t("shortcuts.pressFor", { name })
    : stroke === null
      ? t("shortcuts.setFor", { name })
      : t("shortcuts.changeFor", { name, keys: text(stroke) });
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isOn}
      onClick={(event) => {
        if (isOn) return leave();
        // WebKit gives a button no focus when it is clicked.
        event.currentTarget.focus();
        setIsOn(true);
        onBegin();
      }}
      onKeyDown={onKeyDown}
      // The release of Space would press it again.
      onKeyUp={(event) => isOn && event.preventDefault()}
      onBlur={leave}
      className={clsx(
        "fc-border inline-flex h-7 min-w-7 items-center justify-center rounded-md border px-1.5 text-meta hover:bg-hover",
        isOn ? "border-accent bg-accent-wash text-ink" : "border-transparent text-ink-3 hover:text-ink",
      )}
    >
      {isOn ? t("shortcuts.press") : stroke === null ? t("shortcuts.set") : <Keys keys={stroke} />}
    </button>
  );
}
