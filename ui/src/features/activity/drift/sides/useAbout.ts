import { useQuery } from "@tanstack/react-query";
import type { DriftSide, KnowerView, StoryTime } from "../../../../ipc/bindings.gen";
import { detailQuery } from "../../../../ipc/queries";

export type About = {
  /** When it holds in the story; null: always. */
  storyTime: StoryTime | null;
  /** Who knows of it; empty: everybody. */
  knownBy: readonly KnowerView[];
  /** False until that is known. */
  isRead: boolean;
};

/** When a side holds in the story, and who knows of it. A memory says so on its own page only. */
export function useAbout({ id, memory, fact }: DriftSide): About {
  const { data } = useQuery({ ...detailQuery(id), enabled: memory !== null });
  const from = fact ?? data;
  return {
    storyTime: from?.storyTime ?? null,
    knownBy: from?.knownBy ?? [],
    isRead: memory === null || data !== undefined,
  };
}
