import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import type { ClientGrants, ClientUndone, ClientView, LensSpec, NewClient } from "../../../ipc/bindings.gen";
import { core } from "../../../ipc/client";
import { keys } from "../../../ipc/keys";

const NO_LENS: LensSpec = { knower: null, at: null };

/** Every write about clients. What the core answers is in the list at once. */
export function useClientWrites() {
  const { t } = useI18n();
  const { notify, failed } = useToasts();
  const cache = useQueryClient();
  return useMemo(() => {
    const put = (client: ClientView) => {
      cache.setQueryData<ClientView[]>(keys.clients, (old = []) =>
        old.some((it) => it.id === client.id)
          ? old.map((it) => (it.id === client.id ? client : it))
          : [...old, client],
      );
    };
    const reread = () => cache.invalidateQueries({ queryKey: keys.clients });
    return {
      /** Throws: the dialog says why at the field. */
      add: async (name: string, workspaceId: string): Promise<NewClient> => {
        const made = await core.addClient(name, workspaceId);
        put(made.client);
        return made;
      },
      /** Shown at once, and taken back if the core refuses it. */
      grant: async (client: ClientView, patch: Partial<ClientGrants>) => {
        await cache.cancelQueries({ queryKey: keys.clients });
        const grants = { ...client.grants, ...patch };
        put({ ...client, grants });
        // Without a lens the client keeps the one that it has; a lens that names nothing removes it.
        const lens = patch.lens === undefined ? null : (patch.lens ?? NO_LENS);
        try {
          put(await core.setGrants(client.id, { ...grants, lens }));
        } catch (error) {
          failed(error);
          put(client);
          await reread();
        }
      },
      renew: async (client: ClientView): Promise<NewClient | null> => {
        try {
          const made = await core.renewToken(client.id);
          put(made.client);
          return made;
        } catch (error) {
          failed(error);
          return null;
        }
      },
      revoke: async (client: ClientView) => {
        try {
          put(await core.revokeClient(client.id));
          notify(t("clients.done.revoked", { name: client.name }));
        } catch (error) {
          failed(error);
        }
      },
      undo: async (client: ClientView): Promise<ClientUndone | null> => {
        try {
          const undone = await core.undoClient(client.id);
          await cache.invalidateQueries({ queryKey: keys.clientChanges(client.id) });
          await reread();
          return undone;
        } catch (error) {
          failed(error);
          return null;
        }
      },
    };
  }, [t, notify, failed, cache]);
}
