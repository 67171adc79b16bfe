import { useMemo } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import type { ChannelView } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";

/** Every write of the Channels page. Archiving can be taken back from where it is announced. */
export function useChannelWrites() {
  const { t } = useI18n();
  const { notify, undoable, failed } = useToasts();
  return useMemo(() => {
    const restored = async (channel: ChannelView) => {
      await core.restoreChannel(channel.id);
    };
    return {
      /** These three throw what the core refuses, so that the dialog can show it at the field. */
      create: async (name: string, description: string) => {
        const channel = await core.createChannel(name, description);
        notify(t("channels.done.created", { name: channel.name }));
      },
      update: async (channel: ChannelView, name: string, description: string) => {
        await core.updateChannel(
          channel.id,
          name === channel.name ? null : name,
          description === channel.description ? null : description,
        );
        notify(t("channels.done.saved"));
      },
      remove: async (channel: ChannelView, moveTo: string | null) => {
        // Also when it looks empty: somebody may have talked in it a moment ago.
        await core.deleteChannel(channel.id, moveTo);
        notify(t("channels.done.deleted", { name: channel.name }));
      },
      archive: async (channel: ChannelView) => {
        try {
          await core.archiveChannel(channel.id);
          undoable(t("channels.done.archived", { name: channel.name }), () => restored(channel));
        } catch (error) {
          failed(error);
        }
      },
      restore: async (channel: ChannelView) => {
        try {
          await restored(channel);
          notify(t("channels.done.restored", { name: channel.name }));
        } catch (error) {
          failed(error);
        }
      },
    };
  }, [t, notify, undoable, failed]);
}
