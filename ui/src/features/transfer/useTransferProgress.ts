import { useCallback, useEffect, useState } from "react";
import type { TransferProgress } from "../../ipc/bindings.gen";
import { core } from "../../ipc/client";
import { onTransferProgress } from "../../ipc/events";

/** How the export or import goes, and the way to stop it. */
export function useTransferProgress() {
  const [progress, setProgress] = useState<TransferProgress | null>(null);
  const [stopping, setStopping] = useState(false);
  useEffect(() => onTransferProgress(setProgress), []);
  const begin = useCallback(() => {
    setProgress(null);
    setStopping(false);
  }, []);
  const stop = useCallback(() => {
    setStopping(true);
    void core.cancelTransfer();
  }, []);
  return { progress, stopping, begin, stop };
}
