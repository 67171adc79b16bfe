import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { FilePlus2 } from "lucide-react";
import { useMemo, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { IconButton } from "../../components/Button";
import { FindList } from "../../components/FindList";
import { useSettled } from "../../components/hooks";
import { Popup } from "../../components/Popup";
import { visible } from "../../components/visible";
import { useI18n } from "../../i18n/i18n";
import type { PageRow, VaultView } from "../../ipc/bindings.gen";
import { pagesFoundQuery, vaultsQuery } from "../../ipc/queries";

const SETTLE = 150;

/** Where the file of a page is. */
function pathOf(page: PageRow, vaults: readonly VaultView[]): string | undefined {
  const vault = vaults.find(({ id }) => id === page.vaultId);
  return vault && `${vault.path}/${page.path}`;
}

type AttachPageProps = { disabled: boolean; onAttach(path: string): void };

/** Finds a page of a linked vault. Its file is attached as it stands when the message is sent. */
export function AttachPage({ disabled, onAttach }: AttachPageProps) {
  const { t } = useI18n();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { data: vaults = [] } = useQuery(vaultsQuery);
  const settled = useSettled(text.trim(), SETTLE);
  const { data, isPending, error, refetch } = useQuery({
    ...pagesFoundQuery(settled),
    enabled: open && settled !== "",
  });
  const pages = settled === "" ? [] : (data ?? []);
  const isOffered = vaults.length > 0 && !disabled;
  const title = t("conversation.attachPage");
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "conversation.attachPage",
          group: "conversation",
          label: title,
          enabled: isOffered,
          run: () => setOpen(true),
        },
      ],
      [title, isOffered],
    ),
  );
  if (vaults.length === 0) return null;
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      title={title}
      start
      trigger={
        <IconButton label={title} className="size-9 shrink-0" disabled={disabled}>
          <FilePlus2 size={16} aria-hidden />
        </IconButton>
      }
    >
      <FindList
        find={t("pick.findPage")}
        label={title}
        typed={{ text, onText: setText }}
        search={
          settled === ""
            ? null
            : {
                isEmpty: pages.length === 0,
                isPending,
                error: data ? null : error,
                refetch,
                none: t("pick.findPageNone"),
              }
        }
      >
        {pages.map(({ page }) => (
          <Command.Item
            key={page.id}
            value={page.id}
            onSelect={() => {
              const path = pathOf(page, vaults);
              if (path) onAttach(path);
              setOpen(false);
              setText("");
            }}
            className="rounded-sm px-2 py-1.5 text-ui text-ink data-[selected=true]:bg-hover"
          >
            <span className="block truncate">{visible(page.title)}</span>
            <span className="block truncate text-meta text-ink-2">{visible(page.path)}</span>
          </Command.Item>
        ))}
      </FindList>
    </Popup>
  );
}
