import { useState } from "react";
import { Button } from "../../components/Button";
import { Differing } from "../../components/Differing";
import { Checkbox } from "../../components/Fields";
import { Side } from "../../components/TwoVersions";
import { useI18n } from "../../i18n/i18n";
import type { ImportLine } from "../../ipc/bindings.gen";

/** Lines shown at a time. */
const PAGE = 50;

type LinesProps = {
  lines: readonly ImportLine[];
  picks: readonly string[];
  onPick(picks: string[]): void;
  /** Asks for the whole texts of a line. */
  onWhole(id: string): void;
};

/** What comes in only where somebody picks it: what stands here and what the file brings, side by side. */
export function Lines({ lines, picks, onPick, onWhole }: LinesProps) {
  const { t } = useI18n();
  const [shown, setShown] = useState(PAGE);
  if (lines.length === 0) return null;
  const all = lines.every((line) => picks.includes(line.id));
  const toggle = (id: string, picked: boolean) =>
    onPick(picked ? [...picks, id] : picks.filter((it) => it !== id));
  return (
    <section aria-label={t("importing.lines")} className="mt-5">
      <div className="flex items-start justify-between gap-3">
        <div>
          <h3 className="text-ui font-strong text-ink">{t("importing.lines")}</h3>
          <p className="text-ui text-pretty text-ink-2">{t("importing.linesBody")}</p>
        </div>
        <Button onClick={() => onPick(all ? [] : lines.map((line) => line.id))}>
          {t(all ? "importing.pickNone" : "importing.pickAll", { count: lines.length })}
        </Button>
      </div>
      <ul className="mt-3 space-y-4">
        {lines.slice(0, shown).map((line) => (
          <Line
            key={line.id}
            line={line}
            picked={picks.includes(line.id)}
            onPick={(picked) => toggle(line.id, picked)}
            onWhole={() => onWhole(line.id)}
          />
        ))}
      </ul>
      {lines.length > shown && (
        <Button look="ghost" className="mt-2" onClick={() => setShown(shown + PAGE)}>
          {t("importing.more", { count: lines.length - shown })}
        </Button>
      )}
    </section>
  );
}

type LineProps = { line: ImportLine; picked: boolean; onPick(picked: boolean): void; onWhole(): void };

function Line({ line, picked, onPick, onWhole }: LineProps) {
  const { t } = useI18n();
  const here = line.here?.text ?? "";
  const cut = !line.file.whole || line.here?.whole === false;
  const of = [line.what, line.scope === null ? null : t(`tier.${line.scope}`)].filter(Boolean).join(" · ");
  return (
    <li className="@container">
      <Checkbox checked={picked} onChange={onPick}>
        <span className="wrap-anywhere">{line.label}</span>{" "}
        <span className="text-ink-2">
          ({of}): {line.reason}
        </span>
      </Checkbox>
      <div className="mt-2 grid gap-px overflow-hidden rounded-md border border-line bg-line @lg:grid-cols-2">
        <Side title={t("importing.here")}>
          {here === "" ? (
            <p className="text-ui text-ink-3">{t("importing.hereNothing")}</p>
          ) : (
            <Differing text={here} other={line.file.text} />
          )}
        </Side>
        <Side title={t("importing.file")}>
          {line.file.text === "" ? (
            <p className="text-ui text-ink-3">{t("importing.fileNothing")}</p>
          ) : here === "" ? (
            <p className="memory-prose text-snippet! whitespace-pre-wrap">{line.file.text}</p>
          ) : (
            <Differing text={line.file.text} other={here} />
          )}
        </Side>
      </div>
      {cut && (
        <Button look="ghost" className="mt-1" onClick={onWhole}>
          {t("importing.whole", { label: line.label })}
        </Button>
      )}
    </li>
  );
}
