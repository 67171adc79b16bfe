import type { ComponentProps } from "react";
import { useI18n } from "../i18n/i18n";
import { Button } from "./Button";
import { TextField } from "./Fields";
import { Modal, type ModalProps } from "./Modal";
import { PathField } from "./PathField";
import type { Form } from "./useSubmit";

type FormDialogProps = Omit<ModalProps, "open"> & {
  form: Form;
  /** The word on the button that sends it. */
  submit: string;
  look?: "danger" | "primary";
  /** False while it cannot be sent yet. */
  ready?: boolean;
};

/** A dialog that is a form, open for as long as it is drawn. Below its fields are the ways to leave and to send it. */
export function FormDialog({
  form,
  submit,
  look = "primary",
  ready = true,
  children,
  ...modal
}: FormDialogProps) {
  const { t } = useI18n();
  return (
    <Modal open initialFocus={form.field} {...modal}>
      <form onSubmit={form.onSubmit} className="space-y-4">
        {children}
        <div className="flex justify-end gap-2 pt-2">
          <Button onClick={modal.onClose}>{t("action.cancel")}</Button>
          {/* It is not disabled while it waits, or it would lose the focus. */}
          <Button type="submit" look={look} disabled={!ready} aria-disabled={form.isSending || undefined}>
            {submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

type FormFieldProps = Omit<ComponentProps<typeof TextField>, "form" | "error" | "ref" | "onChange"> & {
  form: Form;
  onChange(text: string): void;
};

/** The field that a form begins with. What the core refuses is said below it, until something else is typed. */
export function FormField({ form, onChange, ...field }: FormFieldProps) {
  return (
    <TextField
      ref={form.field}
      error={form.problem}
      onChange={(event) => {
        onChange(event.target.value);
        form.setProblem(null);
      }}
      {...field}
    />
  );
}

type FormPathFieldProps = Omit<ComponentProps<typeof PathField>, "problem" | "onProblem" | "ref"> & {
  form: Form;
};

/** As `FormField`, for a path. */
export function FormPathField({ form, ...field }: FormPathFieldProps) {
  return <PathField ref={form.field} problem={form.problem} onProblem={form.setProblem} {...field} />;
}
