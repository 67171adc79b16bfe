import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Download, FileDown, Upload } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { type Action, useActions } from "../../components/actions";
import type { Picked } from "../../components/ConversationPicker";
import { fileTaker } from "../../components/fileTaker";
import { useLatest } from "../../components/hooks";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import { onFileDrag } from "../../ipc/events";
import { conversationQuery, statusQuery } from "../../ipc/queries";
import { DropChoice } from "./DropChoice";

const loadExport = () => import("./ExportDialog");
const loadImport = () => import("./ImportDialog");
const ExportDialog = lazy(loadExport);
const ImportDialog = lazy(loadImport);

type Open =
  | { what: "export"; conversation: Picked | null }
  | { what: "import"; path: string }
  | { what: "choose"; paths: readonly string[] }
  | null;

/** Export and import, from every page: actions that pages offer where they fit, and files dropped on the window. */
type TransferProps = {
  /** What was opened with the program in another one, and is to be offered. */
  files?: readonly string[];
  onTaken?(): void;
};

export function Transfer({ files, onTaken }: TransferProps) {
  const { t } = useI18n();
  const { notify } = useToasts();
  const status = useQuery(statusQuery).data;
  const [open, setOpen] = useState<Open>(null);
  /** What a file that is held over the window could be dropped for. */
  const [over, setOver] = useState<"drop" | "dropOrAttach" | null>(null);
  // The one on the page, if there is one.
  const { ref } = useParams({ strict: false });
  const conversation = useQuery({ ...conversationQuery(ref ?? ""), enabled: ref !== undefined }).data;
  const inWorld = status?.workspace != null;
  const canImport = inWorld && !status.readOnly;
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "transfer.import",
          group: "transfer",
          label: t("transfer.import"),
          icon: <Download size={14} className="text-ink-3" aria-hidden />,
          enabled: canImport,
          run: () => setOpen({ what: "import", path: "" }),
        },
        {
          id: "transfer.export",
          group: "transfer",
          label: t("transfer.export"),
          icon: <Upload size={14} className="text-ink-3" aria-hidden />,
          // Writes no memory, so a data folder that cannot be written is no hindrance.
          enabled: inWorld,
          run: () => setOpen({ what: "export", conversation: null }),
        },
        {
          id: "transfer.exportConversation",
          group: "conversation",
          label: t("transfer.exportConversation"),
          enabled: conversation !== undefined,
          run: () => {
            if (conversation === undefined) return;
            const { id, title } = conversation;
            setOpen({ what: "export", conversation: { id, title: title || t("pick.untitled") } });
          },
        },
      ],
      [t, canImport, inWorld, conversation],
    ),
  );
  const offer = useCallback(
    ([path, ...more]: readonly string[]) => {
      if (path === undefined) return;
      if (more.length > 0) notify(t("transfer.dropMany"));
      setOpen({ what: "import", path });
    },
    [notify, t],
  );
  useEffect(() => {
    if (!files || !status || open !== null || document.querySelector("[role=dialog], [role=alertdialog]"))
      return;
    // Without a world it waits for one.
    if (!status.workspace) return;
    if (status.readOnly) notify(t("state.readOnly"));
    else offer(files);
    onTaken?.();
  }, [files, status, open, offer, onTaken, notify, t]);
  // A dialog that is open would lose what was begun in it.
  const free = useLatest(canImport && open === null);
  useEffect(
    () =>
      onFileDrag({
        enter: (paths) => {
          const isTaken =
            paths.length > 0 && free.current && document.querySelector("[role=dialog]") === null;
          setOver(isTaken ? (fileTaker() === null ? "drop" : "dropOrAttach") : null);
        },
        leave: () => setOver(null),
        drop: (paths) => {
          setOver(null);
          if (!free.current || paths.length === 0 || document.querySelector("[role=dialog]")) return;
          if (fileTaker() === null) offer(paths);
          else setOpen({ what: "choose", paths });
        },
      }),
    [free, offer],
  );
  const close = () => setOpen(null);
  return (
    <>
      {over && (
        <div
          role="status"
          className="pointer-events-none fixed inset-0 z-50 flex items-center justify-center bg-scrim p-4"
        >
          <div className="appear fc-border flex flex-col items-center rounded-md border border-accent bg-raised px-10 py-8 shadow-pop">
            <FileDown size={24} strokeWidth={1.5} className="text-accent" aria-hidden />
            <p className="mt-3 font-serif text-[1.1875rem] leading-7 text-ink">{t(`transfer.${over}`)}</p>
            <p className="text-ui text-ink-2">{t(`transfer.${over}Body`)}</p>
          </div>
        </div>
      )}
      {open?.what === "choose" && (
        <DropChoice
          count={open.paths.length}
          onClose={close}
          onImport={() => offer(open.paths)}
          onAttach={() => {
            close();
            fileTaker()?.(open.paths);
          }}
        />
      )}
      <Suspense>
        {open?.what === "export" && <ExportDialog initial={open.conversation} onClose={close} />}
        {open?.what === "import" && <ImportDialog initial={open.path} onClose={close} />}
      </Suspense>
    </>
  );
}
