import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useLatest } from "../../../components/hooks";
import { useToasts } from "../../../components/toast";
import { useI18n } from "../../../i18n/i18n";
import { onChange } from "../../../ipc/changes";
import { core } from "../../../ipc/client";
import { brief, did, titleOf } from "./counts";

/** Says what a run changed that nobody asked for, with the way to it: no silent memory. */
export function useRunNotifications(): void {
  const i18n = useI18n();
  const { offered } = useToasts();
  const navigate = useNavigate();
  const latest = useLatest({ i18n, offered, navigate });
  const notified = useRef(new Set<string>());
  useEffect(() => {
    // What ended before this window was opened is in the list of runs, and no news.
    const since = Date.now();
    let stopped = false;
    const look = async () => {
      try {
        const { rows } = await core.listRuns(null, 5);
        for (const run of stopped ? [] : rows) {
          if (run.trigger === "asked" || run.state !== "done" || run.finishedAt === null) continue;
          if (notified.current.has(run.id) || Date.parse(run.finishedAt) < since) continue;
          notified.current.add(run.id);
          const { i18n, offered, navigate } = latest.current;
          if (!did(run.counts)) continue;
          const text = i18n.t("run.news", {
            title: i18n.t(titleOf(run.task)),
            brief: brief(run.counts, i18n, run),
          });
          offered(text, i18n.t("run.see"), () => {
            void navigate({ to: "/activity", search: { page: "runs", id: run.id } });
          });
        }
      } catch {
        // The list of runs says why it cannot be read.
      }
    };
    const stop = onChange((topic) => {
      if (topic === "runs") void look();
    });
    return () => {
      stopped = true;
      stop();
    };
  }, [latest]);
}
