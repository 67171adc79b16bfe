import { Popover } from "@base-ui/react/popover";
import { useEffect, useRef, useState } from "react";
import { hasKeyboardOwner, PASSIVE } from "../../components/actions";
import { Button } from "../../components/Button";
import { useLatest } from "../../components/hooks";
import { endTour, useTour } from "../../components/tour";
import { useI18n } from "../../i18n/i18n";
import { POINTING, STEPS, useOpenStep } from "./steps";
import { usePointedAt } from "./usePointedAt";

/** Five steps through the real pages. The window stays usable under them. */
export function Tour() {
  const isOpen = useTour();
  return isOpen ? <Steps /> : null;
}

function Steps() {
  const { t } = useI18n();
  const [place, setPlace] = useState(0);
  const step = STEPS[place] ?? "memory";
  const anchor = usePointedAt(step);
  const open = useLatest(useOpenStep());
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => open.current(step), [open, step]);
  const isLast = place === STEPS.length - 1;
  const title = t(`tour.${step}.title`);
  const body = t(`tour.${step}.body`);
  const count = t("tour.step", { step: place + 1, count: STEPS.length });
  return (
    <Popover.Root
      open
      onOpenChange={(_, { reason }) => {
        // A click elsewhere uses the page. What is open over the tour has Escape to itself.
        if (reason === "escape-key" && !hasKeyboardOwner()) endTour();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          side={POINTING[step].side}
          sideOffset={12}
          collisionPadding={12}
          className="z-30"
        >
          <Popover.Popup
            {...PASSIVE}
            initialFocus={next}
            className="appear w-88 max-w-[calc(100vw-1.5rem)] rounded-md border border-line bg-raised p-4 shadow-pop outline-none"
          >
            <p className="tabular text-meta text-ink-3">{count}</p>
            <Popover.Title className="mt-1 text-title font-strong text-ink">{title}</Popover.Title>
            <Popover.Description className="mt-2 text-lead text-pretty text-ink-2">
              {body}
            </Popover.Description>
            <p role="status" className="sr-only">
              {place > 0 && `${count}. ${title}. ${body}`}
            </p>
            <div className="mt-4 flex flex-wrap items-center gap-2">
              <Button look="ghost" className="mr-auto -ml-3" onClick={endTour}>
                {t("tour.leave")}
              </Button>
              {place > 0 && <Button onClick={() => setPlace(place - 1)}>{t("action.back")}</Button>}
              <Button ref={next} look="primary" onClick={() => (isLast ? endTour() : setPlace(place + 1))}>
                {t(isLast ? "tour.done" : "tour.next")}
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
