import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { Button } from "../components/Button";
import { Confirm, Modal } from "../components/Modal";
import { useToasts } from "../components/toast";
import { useWorkspaceWrites } from "../features/workspaces/useWorkspaceWrites";
import { useI18n } from "../i18n/i18n";
import type { Address, AppStatus, Request } from "../ipc/bindings.gen";
import { core } from "../ipc/client";
import { onRequestsWaiting } from "../ipc/events";
import { workspacesQuery } from "../ipc/queries";
import { hasShell } from "../ipc/shell";

/** What the system asks of the program, oldest first, and the way to be done with the first of it. */
function useRequests() {
  const [requests, setRequests] = useState<Request[]>([]);
  useEffect(() => {
    if (!hasShell()) return;
    const take = () =>
      core.takeRequests().then(
        (taken) => setRequests((before) => [...before, ...taken]),
        // A shell that does not answer asks for nothing.
        () => undefined,
      );
    void take();
    return onRequestsWaiting(() => void take());
  }, []);
  const done = useCallback(() => setRequests(([, ...rest]) => rest), []);
  return [requests[0], done] as const;
}

/** Shows what an address names. */
function useFollow(): (address: Address) => void {
  const navigate = useNavigate();
  return useCallback(
    ({ target, value }) => {
      switch (target) {
        case "memory":
          return void navigate({ to: "/memory", search: { id: value } });
        case "conversation":
          return void navigate({ to: "/conversations/$ref", params: { ref: value }, search: {} });
        case "subject":
          return void navigate({ to: "/world", search: { id: value } });
        case "search":
          return void navigate({ to: "/memory", search: { q: value } });
      }
    },
    [navigate],
  );
}

type RequestsProps = {
  status: AppStatus | undefined;
  /** Offers files for import. */
  onImport(paths: string[]): void;
};

/** Answers links that were followed and files that were opened in other programs. */
export function Requests({ status, onImport }: RequestsProps) {
  const { t } = useI18n();
  const { refused } = useToasts();
  const [request, done] = useRequests();
  const follow = useFollow();
  const writes = useWorkspaceWrites();
  const workspaces = useQuery({ ...workspacesQuery, enabled: request?.kind === "open" }).data;
  const here = status?.workspace;
  const address = request?.kind === "open" ? request.address : undefined;
  const isHere = address !== undefined && (address.world === null || address.world === here?.id);
  useEffect(() => {
    if (request === undefined || status === undefined) return;
    if (request.kind === "import") onImport(request.paths);
    else if (request.kind === "refuse") refused(t("link.refused"), t(`link.refused.${request.why}`));
    else if (isHere) follow(request.address);
    else return;
    done();
  }, [request, status, isHere, follow, done, onImport, refused, t]);

  if (address === undefined || isHere || status === undefined || workspaces === undefined) return null;
  const there = workspaces.find(({ id }) => id === address.world);
  if (there === undefined || there.damaged !== null)
    return (
      <Modal
        open
        onClose={done}
        title={t("link.noWorld")}
        body={there === undefined ? t("link.noWorldBody") : t("link.damagedWorld", { name: there.name })}
      >
        <div className="flex justify-end">
          <Button onClick={done}>{t("action.close")}</Button>
        </div>
      </Modal>
    );
  const change = async () => {
    if (await writes.change(there.id)) follow(address);
    done();
  };
  return (
    <Confirm
      open
      onClose={done}
      onConfirm={() => void change()}
      title={t("link.otherWorld", { name: there.name })}
      body={t("link.otherWorldBody", { name: here?.name ?? "" })}
      confirm={t("link.otherWorldDo")}
      look="primary"
    />
  );
}
