import { useNavigate, useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useMemo } from "react";
import type { LensSpec } from "../../ipc/bindings.gen";
import { NamesContext, type NamesValue } from "./context";
import { NameCard } from "./NameCard";
import { endsSelection } from "./press";
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
  const router = useRouter();
  const navigate = useNavigate();
  const { link, card } = useNameCard();
  const value = useMemo((): NamesValue | null => {
    if (index === null) return null;
    const addresses = new Map<string, string>();
    return {
      index,
      own,
      tabbable,
      hrefOf: (id) => {
        let address = addresses.get(id);
        if (address === undefined) {
          const { href } = router.buildLocation({ to: "/world", search: { id } });
          address = router.history.createHref(href);
          addresses.set(id, address);
        }
        return address;
      },
      onClick: (event: MouseEvent<HTMLAnchorElement>) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        if (endsSelection(event)) return;
        card.close();
        void navigate({ to: "/world", search: { id: event.currentTarget.dataset.subject } });
      },
      onPointerEnter: card.onPointerEnter,
      onPointerLeave: card.onPointerLeave,
      onFocus: card.onFocus,
      onBlur: card.onBlur,
    };
  }, [index, own, tabbable, router, navigate, card]);
  const row = link && index?.rows.get(link.dataset.subject ?? "");
  return (
    <NamesContext value={value}>
      {children}
      {row && (
        <NameCard key={row.id} row={row} link={link} onPointerEnter={card.keep} onPointerLeave={card.leave} />
      )}
    </NamesContext>
  );
}
