import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog, FormField } from "../../../components/FormDialog";
import { Select } from "../../../components/Select";
import { KindIcon, useKindName } from "../../../components/SubjectKind";
import { useSubmit } from "../../../components/useSubmit";
import { useI18n } from "../../../i18n/i18n";
import { subjectsQuery } from "../../../ipc/queries";

const NONE = "-";
const OWN = "+";

type KindSelectProps = {
  /** Null: no subject. */
  kind: string | null;
  /** Offers to be no subject. */
  optional?: boolean;
  disabled?: boolean;
  /** With a border, as a field of a form. */
  field?: boolean;
  onChange(kind: string | null): void;
};

/** Chooses a kind of subject; a kind that is not in the list is asked for. */
export function KindSelect({ kind, optional = false, disabled, field = false, onChange }: KindSelectProps) {
  const { t } = useI18n();
  const nameOf = useKindName();
  const [asking, setAsking] = useState(false);
  const known = useQuery(subjectsQuery).data?.kinds ?? [];
  const kinds = kind !== null && !known.includes(kind) ? [...known, kind] : known;
  return (
    <>
      <Select
        ghost={!field}
        label={t("kind.label")}
        value={kind ?? NONE}
        disabled={disabled}
        onChange={(next) => {
          if (next === OWN) setAsking(true);
          else if (next !== (kind ?? NONE)) onChange(next === NONE ? null : next);
        }}
        options={[
          ...(optional || kind === null ? [{ value: NONE, label: t("kind.none") }] : []),
          ...kinds.map((it) => ({ value: it, label: nameOf(it), icon: <KindIcon kind={it} /> })),
          { value: OWN, label: t("kind.own") },
        ]}
      />
      {asking && (
        <OwnKind
          onClose={() => setAsking(false)}
          onChoose={(own) => {
            setAsking(false);
            onChange(own);
          }}
        />
      )}
    </>
  );
}

function OwnKind({ onClose, onChoose }: { onClose(): void; onChoose(kind: string): void }) {
  const { t } = useI18n();
  const [word, setWord] = useState("");
  const form = useSubmit(() => onChoose(word.trim()));
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("kind.own")}
      submit={t("action.choose")}
      ready={word.trim() !== ""}
    >
      <FormField form={form} label={t("kind.ownLabel")} value={word} maxLength={60} onChange={setWord} />
    </FormDialog>
  );
}
