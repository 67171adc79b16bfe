import { useNavigate, useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useMemo } from "react";
import type { LensSpec } from "../../ipc/bindings.gen";
import { NamesContext, type NamesValue, WikiContext } from "./context";
import { NameCard } from "./NameCard";
import { endsSelection } from "./press";
import { addressOf, targetOf } from "./target";
import { useNameCard } from "./useNameCard";
import { useNameIndex } from "./useNameIndex";

type NamesProps = {
  /** Whose knowledge the texts are read with: only names that it shows are links. */
  lens: LensSpec | null;
  /** The subject that the texts are about, whose own name is no link. */
  own?: string;
  /**
   * Tab stops at the first link of each subject in a text. For one text that is read; a transcript has thousands of names,
   * and the palette leads to each subject.
   */
  tabbable?: boolean;
  children: ReactNode;
};

/** In the texts in here the names of subjects are links to their pages. Rows of lists stay outside of it. */
export function Names({ lens, own, tabbable = false, children }: NamesProps) {
  const index = useNameIndex(lens);
  // A lens that is made anew with each drawing must not draw every name anew.
  const { knower = null, at = null } = lens ?? {};
  const spec = useMemo(() => (knower === null && at === null ? null : { knower, at }), [knower, at]);
  const router = useRouter();
  const navigate = useNavigate();
  const { link, card } = useNameCard();
  const value = useMemo((): NamesValue | null => {
    if (index === null) return null;
    const addresses = new Map<string, string>();
    return {
      index,
      lens: spec,
      own,
      tabbable,
      hrefOf: (target) => {
        const key = `${target.kind} ${target.id} ${target.heading ?? ""}`;
        let address = addresses.get(key);
        if (address === undefined) {
          const { href } = router.buildLocation(addressOf(target, spec));
          address = router.history.createHref(href);
          addresses.set(key, address);
        }
        return address;
      },
      onClick: (event: MouseEvent<HTMLAnchorElement>) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        if (endsSelection(event)) return;
        card.close();
        const target = targetOf(event.currentTarget);
        if (!target) return;
        const { pathname } = router.state.location;
        // In the list of memories the list stays as it is.
        if (target.kind === "memory" && pathname === "/memory")
          void navigate({ to: "/memory", search: (old) => ({ ...old, id: target.id }) });
        else void navigate(addressOf(target, spec));
      },
      onPointerEnter: card.onPointerEnter,
      onPointerLeave: card.onPointerLeave,
      onFocus: card.onFocus,
      onBlur: card.onBlur,
    };
  }, [index, spec, own, tabbable, router, navigate, card]);
  const target = link && index && targetOf(link);
  const row = target?.kind === "subject" ? index?.rows.get(target.id) : undefined;
  const isShown = target && (target.kind !== "subject" || row);
  return (
    <NamesContext value={value}>
      <WikiContext value={true}>{children}</WikiContext>
      {isShown && (
        <NameCard
          key={target.id}
          target={target}
          row={row}
          link={link}
          onPointerEnter={card.keep}
          onPointerLeave={card.leave}
        />
      )}
    </NamesContext>
  );
}
