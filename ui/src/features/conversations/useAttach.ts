import { useCallback } from "react";
import { useToasts } from "../../components/toast";
import { useI18n } from "../../i18n/i18n";
import { pickFiles } from "../../ipc/window";
import { attachFiles, useAttached } from "./drafts";

/** The files that go with the next message of a conversation. The core reads them when it is sent. */
export function useAttach(id: string) {
  const { t } = useI18n();
  const { failed } = useToasts();
  const files = useAttached(id);
  const attach = useCallback(async () => {
    try {
      const picked = await pickFiles(t("conversation.attach.title"));
      if (picked) attachFiles(id, picked);
    } catch (error) {
      failed(error);
    }
  }, [t, failed, id]);
  return { files, attach };
}

/** The name of a file in its folder, on each system. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path;
