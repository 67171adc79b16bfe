import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import { Side as Column } from "../../../../components/TwoVersions";
import { useI18n } from "../../../../i18n/i18n";
import type { ClaimView, DriftSide, FactView } from "../../../../ipc/bindings.gen";
import { Choice, Choices } from "../Choice";
import { Detail, Sides } from "../Detail";
import { FACT } from "../sides/FactSide";
import { WAY } from "../sides/kind";
import { Origin } from "../sides/Origin";
import { Side } from "../sides/Side";
import { Text } from "../sides/Text";
import { useAbout } from "../sides/useAbout";
import { ANSWER_ICONS, ANSWERS, type Answer } from "./claim";

type ClaimDetailProps = {
  fact: FactView;
  readOnly: boolean;
  region: RefObject<HTMLElement | null>;
  onSettle(claim: ClaimView, answer: Answer): void;
  onLeave(): void;
};

/** The fact as a side. Nothing was compared, so nothing can have changed since. */
const sideOf = (fact: FactView): DriftSide => ({
  kind: "fact",
  id: fact.id,
  version: fact.version,
  text: fact.value,
  memory: null,
  fact,
  message: null,
  page: null,
  sentences: [],
  changedSince: false,
});

/** A fact of the worldbuilder, what is claimed against it, and what can be decided about each claim. */
export function ClaimDetail({ fact, readOnly, region, onSettle, onLeave }: ClaimDetailProps) {
  const { t, relative, exact } = useI18n();
  const side = sideOf(fact);
  const about = useAbout(side);
  const { claims } = fact;
  const [first] = claims;
  return (
    <Detail
      region={region}
      title={t("drift.title.open")}
      when={
        first && <span title={exact(first.at)}>{t("drift.claimedAt", { when: relative(first.at) })}</span>
      }
      onEscape={onLeave}
    >
      <Sides>
        <Side
          title={t("drift.canon")}
          side={side}
          other={claims.map((it) => it.value).join(" ")}
          about={about}
        />
        <div className="flex flex-col gap-px">
          {claims.map((claim) => (
            <ClaimSide key={claim.id} claim={claim} side={side} />
          ))}
        </div>
      </Sides>
      {claims.map((claim) => (
        <Choices
          key={claim.id}
          title={claims.length === 1 ? t("drift.decide") : t("drift.decideOn", { value: claim.value })}
        >
          {ANSWERS.map((answer) => (
            <Choice
              key={answer}
              icon={ANSWER_ICONS[answer]}
              title={t(`drift.answer.${answer}`)}
              note={t(`drift.answerNote.${answer}`)}
              // The keys are for the claim that stands first.
              shortcut={claim === first ? `drift.${answer}` : null}
              isOff={readOnly}
              onChoose={() => onSettle(claim, answer)}
            />
          ))}
        </Choices>
      ))}
    </Detail>
  );
}

type ClaimSideProps = { claim: ClaimView; side: DriftSide };

function ClaimSide({ claim, side }: ClaimSideProps) {
  const { t } = useI18n();
  return (
    <div className="flex-1 bg-paper">
      <Column title={t("drift.claim")} note={<Way claim={claim} />}>
        <Origin
          icon={<FACT.Icon side={side} size={12} />}
          place={<FACT.Place side={side} />}
          by={t("drift.claimedBy")}
          at={claim.at}
        />
        <Text text={claim.value} sentences={[]} other={side.text} whole={claim.value} />
      </Column>
    </div>
  );
}

/** A claim is made in a conversation, or by a program that has none. */
function Way({ claim: { conversationRef } }: { claim: ClaimView }) {
  const { t } = useI18n();
  if (conversationRef === null) return null;
  return (
    <Link to="/conversations/$ref" params={{ ref: conversationRef }} search={{}} className={WAY}>
      {t("drift.openConversation")}
    </Link>
  );
}
