import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { type ReactNode, type RefObject, useEffect } from "react";
import { useI18n } from "../i18n/i18n";
import { Button } from "./Button";

const BACKDROP = "fixed inset-0 z-40 bg-scrim transition-opacity data-[starting-style]:opacity-0";
const POPUP =
  "appear fixed left-1/2 z-50 w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md border border-line bg-raised shadow-pop outline-none";

let opened = 0;

/** Tells the style of the page that something stands over it. */
export function useOver(open: boolean): void {
  useEffect(() => {
    if (!open) return;
    opened += 1;
    document.documentElement.dataset.modal = "";
    return () => {
      opened -= 1;
      if (opened === 0) delete document.documentElement.dataset.modal;
    };
  }, [open]);
}

/** Asked when a dialog is closed. True: the focus goes back to what had it before; false: it was placed already. */
type FinalFocus = () => boolean;

/** For where the button that opened a dialog may go with it: gives the focus to what stays, if `isGone` by then. */
export function focusAfter(isGone: boolean, box: RefObject<HTMLElement | null> | undefined): boolean {
  if (!isGone || !box?.current) return true;
  box.current.focus();
  return false;
}

export type ModalProps = {
  open: boolean;
  onClose(): void;
  title: string;
  body?: string;
  wide?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  finalFocus?: FinalFocus;
  children: ReactNode;
};

/** A dialog with a title. The headless part keeps the focus inside and gives it back. */
export function Modal({ open, onClose, title, body, wide, initialFocus, finalFocus, children }: ModalProps) {
  useOver(open);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup
          initialFocus={initialFocus}
          finalFocus={finalFocus}
          className={clsx(
            POPUP,
            "overflow-y-auto p-6",
            wide ? "top-[6vh] max-h-[88vh] max-w-160" : "top-[12vh] max-h-[80vh] max-w-110",
          )}
        >
          <Dialog.Title className="text-title font-strong text-ink">{title}</Dialog.Title>
          {body && <Dialog.Description className="mt-2 text-lead text-ink-2">{body}</Dialog.Description>}
          <div className="mt-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type ConfirmProps = {
  open: boolean;
  onClose(): void;
  onConfirm(): void;
  title: string;
  body: string;
  confirm: string;
  cancel?: string;
  /** Shown below the body: what has to be agreed to, say. */
  children?: ReactNode;
  /** Its button warns of what it does, unless it can be taken back. */
  look?: "danger" | "primary";
  /** False while it cannot be confirmed yet. */
  ready?: boolean;
  finalFocus?: FinalFocus;
};

/** Asks before something that has no undo. */
export function Confirm({
  open,
  onClose,
  onConfirm,
  title,
  body,
  confirm,
  cancel,
  children,
  look = "danger",
  ready = true,
  finalFocus,
}: ConfirmProps) {
  const { t } = useI18n();
  useOver(open);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup finalFocus={finalFocus} className={clsx(POPUP, "top-[24vh] max-w-100 p-6")}>
          <AlertDialog.Title className="text-title font-strong text-ink">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-lead text-ink-2">{body}</AlertDialog.Description>
          {children && <div className="mt-4">{children}</div>}
          <div className="mt-6 flex justify-end gap-2">
            <Button onClick={onClose}>{cancel ?? t("action.cancel")}</Button>
            <Button look={look} disabled={!ready} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
