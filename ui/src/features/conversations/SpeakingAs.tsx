import { ChipButton, ChipFace, LensChip, PLAIN_CHIP } from "../../components/lens/LensChip";
import { LensPopup } from "../../components/lens/LensPopup";
import { useLensText } from "../../components/lens/useLensText";
import { useSomebody } from "../../components/lens/useSomebody";
import { Tooltip } from "../../components/Tooltip";
import { useI18n } from "../../i18n/i18n";
import type { ConversationView } from "../../ipc/bindings.gen";
import type { ConversationWrites } from "./useConversationWrites";

type SpeakingAsProps = { conversation: ConversationView; readOnly: boolean; writes: ConversationWrites };

/** Where the line of the head breaks, the chip stands below the title. */
const INDENT = "ml-2";

/** Whose knowledge the turns of a conversation show. It can be set while nothing was said. */
export function SpeakingAs({ conversation, readOnly, writes }: SpeakingAsProps) {
  const { t } = useI18n();
  const { speaking } = useLensText();
  const somebody = useSomebody();
  const { lens, messages, refCode, sharesThrough } = conversation;
  // A branch has the lens of what it shares.
  if (messages > 0 || (sharesThrough ?? 0) > 0 || readOnly) {
    if (lens === null) return null;
    return (
      <Tooltip text={t("lens.speakStays")}>
        {/* A button, so that the keyboard reaches its tooltip. */}
        <button
          type="button"
          aria-disabled
          aria-label={`${speaking(lens)}. ${t("lens.speakStays")}`}
          className={`${PLAIN_CHIP} ${INDENT}`}
        >
          <ChipFace>{speaking(lens)}</ChipFace>
        </button>
      </Tooltip>
    );
  }
  if (lens === null && !somebody) return null;
  return (
    <LensChip
      on={lens !== null}
      className={lens === null ? undefined : INDENT}
      clear={t("lens.speakClear")}
      onClear={() => void writes.clearLens(refCode)}
    >
      <LensPopup
        start
        title={t("lens.speakTitle")}
        body={t("lens.speakBody")}
        apply={t("lens.speakSet")}
        lens={lens}
        onSet={(spec) => writes.setLens(refCode, spec)}
        trigger={
          <ChipButton on={lens !== null}>{lens === null ? t("lens.speakAs") : speaking(lens)}</ChipButton>
        }
      />
    </LensChip>
  );
}
