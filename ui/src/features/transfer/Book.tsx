import { Choices } from "../../components/Choices";
import { useI18n } from "../../i18n/i18n";
import type { ImportBook } from "../../ipc/bindings.gen";

const NEW = "new";
/** A book can have any id, so its choice is told from the new one. */
const same = (id: string) => `same ${id}`;

type BookProps = { book: ImportBook | null; onChoose(sameBook: string | null): void };

/** Whether the file is a book that was imported before; asks where it is in doubt. */
export function Book({ book, onChoose }: BookProps) {
  const { t } = useI18n();
  if (book === null || (book.known.length === 0 && book.kind === "new")) return null;
  const { alike, changed, added } = book;
  const known = book.known.map((it) => ({
    value: same(it.id),
    id: it.id,
    label: t("importing.book.same", { id: it.id }),
    note: t("importing.book.sameBody", { alike: it.alike, changed: it.changed }),
  }));
  const chosen = { doubtful: "", same: same(book.id), new: NEW }[book.kind];
  return (
    <section aria-label={t("importing.book")} className="mt-4">
      <h3 className="mb-2 text-meta text-ink-2">{t("importing.book")}</h3>
      <p role={book.kind === "doubtful" ? "alert" : undefined} className="mb-2 text-ui text-ink">
        {t(`importing.book.${book.kind}Told`, { id: book.id, alike, changed, added })}
      </p>
      {known.length > 0 && (
        <Choices
          label={t("importing.book")}
          value={chosen}
          onChange={(value) => onChoose(known.find((it) => it.value === value)?.id ?? null)}
          options={[
            ...known,
            { value: NEW, label: t("importing.book.new"), note: t("importing.book.newBody") },
          ]}
          className="sm:grid-cols-2 [&>*]:p-3!"
        />
      )}
    </section>
  );
}
