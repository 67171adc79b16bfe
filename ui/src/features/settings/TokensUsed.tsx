import { useQuery } from "@tanstack/react-query";
import { Failed } from "../../components/States";
import { ROW, Table } from "../../components/Table";
import { useI18n } from "../../i18n/i18n";
import type { TokenUsage } from "../../ipc/bindings.gen";
import { TOKEN_DAYS, tokenUsageQuery } from "../../ipc/queries";

const sum = (rows: readonly TokenUsage[], of: (row: TokenUsage) => number) =>
  rows.reduce((total, row) => total + of(row), 0);

/** How many tokens the models used in all worlds, by day and model. */
export function TokensUsed() {
  const { t, number, date } = useI18n();
  const { data, error, refetch } = useQuery(tokenUsageQuery);
  const whole = (value: number) => number(value, { maximumFractionDigits: 0 });
  return (
    <div className="mt-8 space-y-2">
      <h3 className="text-ui font-strong text-ink">{t("settings.tokens.title")}</h3>
      <p className="text-ui text-ink-2">{t("settings.tokens.body", { days: TOKEN_DAYS })}</p>
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p className="text-ui text-ink-2">{t("settings.tokens.none")}</p>}
      {data && data.length > 0 && (
        <Table
          caption={t("settings.tokens.title")}
          columns={[
            { label: t("settings.tokens.day") },
            { label: t("settings.tokens.model") },
            { label: t("settings.tokens.input"), end: true },
            { label: t("settings.tokens.output"), end: true },
            { label: t("settings.tokens.answers"), end: true },
          ]}
          foot={
            <tr className={ROW}>
              <th scope="row" colSpan={2} className="text-left font-normal text-ink-2">
                {t("settings.tokens.sum")}
              </th>
              <td className="text-right">{whole(sum(data, (row) => row.input))}</td>
              <td className="text-right">{whole(sum(data, (row) => row.output))}</td>
              <td className="text-right">{whole(sum(data, (row) => row.answers))}</td>
            </tr>
          }
        >
          {data.map((row) => (
            <tr key={`${row.day} ${row.address} ${row.model}`} className={ROW}>
              <td>{date(`${row.day}T00:00:00`)}</td>
              <td className="break-words">
                {row.model}
                <span className="block text-meta text-ink-3">{row.address}</span>
              </td>
              <td className="text-right">{whole(row.input)}</td>
              <td className="text-right">{whole(row.output)}</td>
              <td className="text-right">
                {whole(row.answers)}
                {row.unreported > 0 && (
                  <span className="block text-meta text-ink-3">
                    {t("settings.tokens.unreported", { count: row.unreported })}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
