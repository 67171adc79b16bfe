import { Link } from "@tanstack/react-router";
import { File, FileText, MessageSquare, NotebookText, Quote } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { visible } from "../../../components/visible";
import { useI18n } from "../../../i18n/i18n";
import type { MemoryDetail, SourceKind, SourceView } from "../../../ipc/bindings.gen";
import { Fact, Section } from "./Section";

type Icon = ComponentType<{ size: number; className: string; "aria-hidden": true }>;

const ICONS: Record<SourceKind, Icon> = {
  message: MessageSquare,
  memory: NotebookText,
  fact: Quote,
  file: File,
  page: FileText,
};

/** What a memory was made of, and what has become of that. */
export function Sources({ detail }: { detail: MemoryDetail }) {
  const { t } = useI18n();
  const { axes, derivations } = detail;
  return (
    <Section title={t("source.title")}>
      <dl className="-my-1">
        <Fact name={t("source.origin")}>{t(`source.origin.${axes.origin}`)}</Fact>
        {derivations.length > 0 && (
          <>
            <Fact name={t("source.standing")}>
              <span className={axes.standing === "current" ? "" : "text-warn"}>
                {t(`source.standing.${axes.standing}`)}
              </span>
            </Fact>
            <Fact name={t("source.from")}>
              <ul className="space-y-1.5">
                {derivations.map((source) => (
                  <Source key={`${source.kind} ${source.id ?? source.hash} ${source.hash}`} source={source} />
                ))}
              </ul>
            </Fact>
          </>
        )}
        {axes.builtOn > 0 && (
          <Fact name={t("source.uses")}>{t("source.builtOn", { count: axes.builtOn })}</Fact>
        )}
      </dl>
    </Section>
  );
}

function Source({ source }: { source: SourceView }) {
  const { t } = useI18n();
  const { kind, label, origin, lifecycle, pointedAt, state } = source;
  const known = [
    origin !== null && t(`source.origin.${origin}`),
    lifecycle !== null && visible(lifecycle),
    pointedAt > 0 && t("source.links", { count: pointedAt }),
  ].filter((part) => part !== false);
  const Icon = ICONS[kind];
  return (
    <li className="flex gap-2">
      <Icon size={14} className="mt-0.5 shrink-0 text-ink-3" aria-hidden />
      <span className="min-w-0">
        <span className="sr-only">{t(`source.kind.${kind}`)}: </span>
        <Target source={source}>{label ?? t("source.unnamed", { kind: t(`source.kind.${kind}`) })}</Target>
        {known.length > 0 && <span className="block text-meta text-ink-2">{known.join(" · ")}</span>}
        {state !== "current" && (
          <span className="block text-meta text-ink-2">{t(`source.state.${state}`)}</span>
        )}
      </span>
    </li>
  );
}

const LINK = "text-accent wrap-anywhere hover:underline";

/** A way to the source, where there is one. */
function Target({ source: { kind, id, state }, children }: { source: SourceView; children: ReactNode }) {
  if (id === null || state === "gone" || state === "elsewhere") return <>{children}</>;
  if (kind === "memory")
    return (
      <Link to="/memory" search={{ id }} className={LINK}>
        {children}
      </Link>
    );
  if (kind === "page")
    return (
      <Link to="/pages" search={{ id }} className={LINK}>
        {children}
      </Link>
    );
  if (kind === "fact")
    return (
      <Link to="/world" search={{ look: "facts" }} className={LINK}>
        {children}
      </Link>
    );
  return <>{children}</>;
}
