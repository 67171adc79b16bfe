import { clsx } from "clsx";
import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { IconButton } from "../../../components/Button";
import { Facts } from "../../../components/facts/Facts";
import { useI18n } from "../../../i18n/i18n";
import type { ConversationView } from "../../../ipc/bindings.gen";
import { useIsNarrow } from "../../../preferences/width";
import { TABS, type Tab } from "../view";
import { Episodes } from "./Episodes";
import { Memories } from "./Memories";
import { Notes } from "./Notes";
import { Shown } from "./Shown";

type SidePanelProps = {
  conversation: ConversationView;
  readOnly: boolean;
  tab: Tab;
  shown: string | undefined;
  onTab(tab: Tab): void;
  onShown(shown: string | undefined): void;
  onTurn(position: number): void;
  onClose(): void;
};

/** What stands beside a transcript, one thing at a time. */
export default function SidePanel(props: SidePanelProps) {
  const { conversation, readOnly, tab, shown, onTab, onShown, onTurn, onClose } = props;
  const { t } = useI18n();
  const isNarrow = useIsNarrow();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = TABS.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = TABS[(to + TABS.length) % TABS.length];
    if (!next) return;
    onTab(next);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[TABS.indexOf(next)]?.focus();
  };
  const { refCode } = conversation;
  return (
    <aside
      aria-label={t("conversation.panel")}
      className="flex w-[clamp(19.5rem,26%,26.25rem)] shrink-0 flex-col border-l border-line narrow:absolute narrow:inset-y-0 narrow:right-0 narrow:z-20 narrow:w-88 narrow:bg-paper"
    >
      {/* Where the panel lies over the conversation, it lies over the button that opened it, too. */}
      {isNarrow && (
        <IconButton
          className="mt-2 mr-2 self-end"
          label={t("action.close")}
          shortcut="conversation.panel"
          onClick={onClose}
        >
          <X size={16} aria-hidden />
        </IconButton>
      )}
      <div
        ref={list}
        role="tablist"
        aria-label={t("conversation.panel")}
        onKeyDown={onKeyDown}
        className="flex flex-wrap gap-x-0.5 border-b border-line px-3"
      >
        {TABS.map((it) => (
          <button
            key={it}
            type="button"
            role="tab"
            id={`${id}-${it}`}
            aria-selected={it === tab}
            aria-controls={`${id}-panel`}
            tabIndex={it === tab ? 0 : -1}
            onClick={() => onTab(it)}
            className={clsx(
              "focus-inset -mb-px h-10 rounded-t-md border-b-2 px-1 text-meta transition-colors",
              it === tab ? "border-accent text-ink" : "border-transparent text-ink-2 hover:text-ink",
            )}
          >
            {t(`conversation.tab.${it}`)}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${tab}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls is reached from the keyboard
        tabIndex={0}
        className="focus-inset min-h-0 flex-1 overflow-y-auto overscroll-contain p-4"
      >
        {tab === "shown" && (
          <Shown refCode={refCode} lens={conversation.lens} shown={shown} onShown={onShown} onTurn={onTurn} />
        )}
        {tab === "notes" && <Notes refCode={refCode} />}
        {tab === "memories" && <Memories conversation={conversation} />}
        {tab === "facts" && <Facts refCode={refCode} readOnly={readOnly} />}
        {tab === "episodes" && <Episodes refCode={refCode} readOnly={readOnly} />}
      </div>
    </aside>
  );
}
