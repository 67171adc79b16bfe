import { type ReactNode, useContext } from "react";
import { useI18n } from "../../i18n/i18n";
import { UnknownLink } from "../UnknownLink";
import { NamesContext } from "./context";
import { TargetLink } from "./NameLink";
import { useLinkTarget } from "./useLinkTarget";

/** `[[Name]]` in the text of a memory or a message: a link to the subject, memory or page with that name. */
export function WrittenLink({ written, children }: { written: string; children: ReactNode }) {
  const { t } = useI18n();
  const names = useContext(NamesContext);
  const target = useLinkTarget(written);
  if (target === null) return <UnknownLink reason={t("links.unknown")}>{children}</UnknownLink>;
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
