import { useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, FileWarning, Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../../components/Menu";
import { useI18n } from "../../i18n/i18n";
import type { WorkspaceView } from "../../ipc/bindings.gen";
import { statusQuery, workspacesQuery } from "../../ipc/queries";
import { DamagedDialog } from "./DamagedDialog";
import { DeleteDialog } from "./DeleteDialog";
import { NameDialog } from "./NameDialog";
import { useWorkspaceWrites } from "./useWorkspaceWrites";

type Open = "create" | "rename" | "delete" | "damaged" | null;

export function WorkspaceSwitcher() {
  const { t } = useI18n();
  const status = useQuery(statusQuery).data;
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const writes = useWorkspaceWrites();
  const [open, setOpen] = useState<Open>(null);
  const current = status?.workspace ?? null;
  const [chosen, setChosen] = useState<WorkspaceView | null>(null);
  // What is renamed or deleted: a damaged one that was chosen, else the one in use.
  const concerned = chosen ?? current;
  const close = () => {
    setOpen(null);
    setChosen(null);
  };
  const whole = workspaces.filter((it) => !it.damaged);
  const damaged = workspaces.filter((it) => it.damaged);
  // Not "none" before it is known.
  const name = current?.name ?? (status ? t("workspace.none") : "");

  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "workspace.create",
          group: "workspace",
          label: t("workspace.create"),
          run: () => setOpen("create"),
        },
        {
          id: "workspace.rename",
          group: "workspace",
          label: t("workspace.renameTitle"),
          enabled: current !== null,
          run: () => setOpen("rename"),
        },
        {
          id: "workspace.delete",
          group: "workspace",
          label: t("workspace.deleteCurrent"),
          enabled: current !== null,
          run: () => setOpen("delete"),
        },
        ...workspaces
          .filter((it) => it.id !== current?.id && !it.damaged)
          .map(
            (it): Action => ({
              id: `workspace.switch.${it.id}`,
              group: "workspace",
              label: t("workspace.switchTo", { name: it.name }),
              run: () => void writes.change(it.id),
            }),
          ),
      ],
      [t, current, workspaces, writes],
    ),
  );

  return (
    <>
      <Menu
        className="w-56"
        trigger={
          <button
            type="button"
            aria-label={t("workspace.switcher", { name })}
            title={name}
            className="flex min-h-10 w-full shrink-0 items-center gap-2 rounded-md px-2 py-1 text-left hover:bg-hover narrow:justify-center"
          >
            <span className="line-clamp-2 min-w-0 flex-1 font-serif text-[1.0625rem] leading-5.5 wrap-anywhere text-ink narrow:sr-only">
              {name}
            </span>
            <ChevronsUpDown size={14} className="shrink-0 text-ink-3" aria-hidden />
          </button>
        }
      >
        <MenuChoice
          label={t("workspace.list")}
          value={current?.id ?? null}
          onChange={(id) => id !== current?.id && void writes.change(id)}
          options={whole.map((it) => ({ value: it.id, label: it.name }))}
        />
        {damaged.map((it) => (
          <MenuItem
            key={it.id}
            icon={<FileWarning size={14} className="text-danger" aria-hidden />}
            onSelect={() => {
              setChosen(it);
              setOpen("damaged");
            }}
          >
            {t("workspace.damaged.label", { name: it.name })}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={<Plus size={14} aria-hidden />} onSelect={() => setOpen("create")}>
          {t("workspace.create")}
        </MenuItem>
        <MenuItem
          icon={<Pencil size={14} aria-hidden />}
          disabled={!current}
          onSelect={() => setOpen("rename")}
        >
          {t("workspace.rename")}
        </MenuItem>
        <MenuItem
          danger
          icon={<Trash2 size={14} aria-hidden />}
          disabled={!current}
          onSelect={() => setOpen("delete")}
        >
          {t("workspace.delete")}
        </MenuItem>
      </Menu>
      {open === "create" && (
        <NameDialog
          title={t("workspace.createTitle")}
          body={t("workspace.createBody")}
          submit={t("workspace.createDo")}
          onClose={() => setOpen(null)}
          onSubmit={writes.create}
        />
      )}
      <DamagedDialog
        workspace={open === "damaged" ? chosen : null}
        onClose={close}
        onRename={() => setOpen("rename")}
        onSetAside={() => setOpen("delete")}
      />
      {concerned && open === "rename" && (
        <NameDialog
          title={t("workspace.renameTitle")}
          initial={concerned.name}
          submit={t("workspace.renameDo")}
          onClose={close}
          onSubmit={(next) => writes.rename(concerned.id, next)}
        />
      )}
      {concerned && open === "delete" && (
        <DeleteDialog
          workspace={concerned}
          onClose={close}
          onDelete={(purge) => writes.remove(concerned, purge)}
        />
      )}
    </>
  );
}
