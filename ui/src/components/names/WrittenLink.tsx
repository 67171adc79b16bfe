import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useContext } from "react";
import { useI18n } from "../../i18n/i18n";
import { statusQuery } from "../../ipc/queries";
import { UnknownLink } from "../UnknownLink";
import { NamesContext } from "./context";
import { TargetLink } from "./NameLink";
import { endsSelection, letSelect } from "./press";
import { partsOf, useLinkTarget } from "./useLinkTarget";

/** A name that nothing has leads to a new subject that would have it, where one can be added. */
function AddLink({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useI18n();
  const canAdd = useQuery(statusQuery).data?.readOnly === false;
  if (!canAdd) return <UnknownLink reason={t("links.unknown")}>{children}</UnknownLink>;
  return (
    <Link
      to="/world"
      search={{ add: name }}
      title={t("links.add", { name })}
      draggable={false}
      onPointerDown={letSelect}
      onClick={(event) => endsSelection(event) && event.preventDefault()}
      className="rounded-[2px] text-ink-2 underline decoration-dashed underline-offset-3 hover:decoration-solid"
    >
      {children}
      <span className="sr-only"> ({t("links.unknown")})</span>
    </Link>
  );
}

/** `[[Name]]` in the text of a memory or a message: a link to the subject, memory or page with that name. */
export function WrittenLink({ written, children }: { written: string; children: ReactNode }) {
  const { t } = useI18n();
  const names = useContext(NamesContext);
  const target = useLinkTarget(written);
  if (target === null) {
    const { name } = partsOf(written);
    // Through a lens it may be withheld only.
    return name !== "" && names?.lens === null ? (
      <AddLink name={name}>{children}</AddLink>
    ) : (
      <UnknownLink reason={t("links.unknown")}>{children}</UnknownLink>
    );
  }
  if (!names || target === undefined) return <span>{children}</span>;
  return (
    <TargetLink
      names={names}
      target={target}
      isStop
      className="rounded-[2px] text-accent underline decoration-dotted underline-offset-3 hover:decoration-solid"
    >
      {children}
    </TargetLink>
  );
}
