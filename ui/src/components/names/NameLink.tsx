import { type ReactNode, useContext } from "react";
import { NamesContext, type NamesValue } from "./context";
import { letSelect } from "./press";
import { linksIn } from "./rehypeNames";
import { attributesOf, type LinkTarget } from "./target";

type TargetLinkProps = {
  names: NamesValue;
  target: LinkTarget;
  /** Whether Tab stops at it. */
  isStop: boolean;
  className: string;
  children: ReactNode;
};

/** A link in a text, with a card that says what it leads to. */
export function TargetLink({ names, target, isStop, className, children }: TargetLinkProps) {
  return (
    <a
      href={names.hrefOf(target)}
      {...attributesOf(target)}
      className={className}
      // A drag selects the text and does not carry the link away.
      draggable={false}
      tabIndex={isStop ? undefined : -1}
      onPointerDown={letSelect}
      onClick={names.onClick}
      onPointerEnter={names.onPointerEnter}
      onPointerLeave={names.onPointerLeave}
      onFocus={names.onFocus}
      onBlur={names.onBlur}
    >
      {children}
    </a>
  );
}

type NameLinkProps = {
  id: string;
  /** The text has named it before: Tab does not stop here. */
  repeat: boolean;
  children: ReactNode;
};

/** The name of a subject as a link to its page. It reads as the text around it until the pointer or the focus is there. */
export function NameLink({ id, repeat, children }: NameLinkProps) {
  const names = useContext(NamesContext);
  if (!names) return children;
  return (
    <TargetLink
      names={names}
      target={{ kind: "subject", id }}
      isStop={names.tabbable && !repeat}
      className="name-link"
    >
      {children}
    </TargetLink>
  );
}

/** A plain text with names as links. */
export function NamedText({ text }: { text: string }) {
  const names = useContext(NamesContext);
  if (!names) return text;
  const parts: ReactNode[] = [];
  const named = new Set<string>();
  let at = 0;
  for (const { start, end, id } of linksIn(text, names)) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(
      <NameLink key={start} id={id} repeat={named.has(id)}>
        {text.slice(start, end)}
      </NameLink>,
    );
    named.add(id);
    at = end;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}
