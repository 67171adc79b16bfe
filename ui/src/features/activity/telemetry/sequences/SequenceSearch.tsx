import { INPUT } from "../../../../components/Fields";
import { useAddressed } from "../../../../components/hooks";
import { useI18n } from "../../../../i18n/i18n";
import { useView } from "../../view";

export function SequenceSearch() {
  const { t } = useI18n();
  const { view, go } = useView();
  const [text, setText] = useAddressed(view.q ?? "", (typed) =>
    go({ q: typed.trim() === "" ? undefined : typed }, { replace: true }),
  );
  return (
    <input
      type="search"
      aria-label={t("telemetry.sequence.search")}
      placeholder={t("telemetry.sequence.example")}
      value={text}
      maxLength={1000}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      className={`${INPUT} max-w-96`}
    />
  );
}
