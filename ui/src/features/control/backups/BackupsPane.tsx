import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, Copy, Ellipsis, LoaderCircle } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { type Action, useActions } from "../../../components/actions";
import { Button, IconButton } from "../../../components/Button";
import { Checkbox } from "../../../components/Fields";
import { Menu, MenuItem, MenuLine } from "../../../components/Menu";
import { Confirm } from "../../../components/Modal";
import { Empty, Failed } from "../../../components/States";
import { size } from "../../../components/size";
import { ROW, Table } from "../../../components/Table";
import { Time } from "../../../components/Time";
import { useCopy } from "../../../components/useCopy";
import { useI18n } from "../../../i18n/i18n";
import type { BackupList, BackupView } from "../../../ipc/bindings.gen";
import { backupsQuery } from "../../../ipc/queries";
import { Loading } from "../Loading";
import { BackupSettingsPart } from "./BackupSettingsPart";
import { Damaged } from "./Damaged";
import { type Busy, useBackupWrites } from "./useBackupWrites";

type Asking = { what: "restore" | "purge"; backup: BackupView };

/** Copies of the data, and the way back to one of them. */
export function BackupsPane({ readOnly }: { readOnly: boolean }) {
  const { t, exact, list } = useI18n();
  const { data, error, refetch, isPending } = useQuery(backupsQuery);
  const { busy, ...writes } = useBackupWrites();
  const [asking, setAsking] = useState<Asking | null>(null);
  const [anew, setAnew] = useState(false);
  const [withScrubbed, setWithScrubbed] = useState(false);
  const region = useRef<HTMLElement>(null);
  const idle = !readOnly && busy === null;
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: "backup.now",
          group: "control",
          label: t("command.backUp"),
          enabled: idle,
          run: () => void writes.make(),
        },
      ],
      [t, idle, writes.make],
    ),
  );
  const ask = (next: Asking) => {
    setWithScrubbed(false);
    setAsking(next);
  };
  const answer = () => {
    if (!asking) return;
    setAsking(null);
    void writes[asking.what](asking.backup, withScrubbed).then(() => region.current?.focus());
  };
  const scrubs = asking?.what === "restore" ? asking.backup.scrubsSince : 0;
  const holds = (backup: BackupView) =>
    list([...(backup.account ? [t("backup.account")] : []), ...backup.workspaces]);
  const files = asking ? Number(asking.backup.account) + asking.backup.workspaces.length : 0;

  const body = () => {
    if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
    if (isPending) return <Loading />;
    return (
      <>
        <div className="flex items-start justify-between gap-6">
          <p className="max-w-[60ch] text-lead text-pretty text-ink-2">{t("backup.body")}</p>
          <Button
            disabled={readOnly}
            aria-disabled={!idle || undefined}
            onClick={() => idle && void writes.make()}
          >
            {t(busy?.what === "making" ? "backup.doing" : "backup.now")}
          </Button>
        </div>
        {data.rows.length === 0 ? (
          <Empty title={t("backup.none.title")} body={t("backup.none.body")} />
        ) : (
          <>
            <BackupSpace list={data} />
            <Table
              caption={t("backup.list")}
              className="mt-4 w-full"
              columns={[
                { label: t("backup.column.when"), width: "w-56" },
                { label: t("backup.column.holds") },
                { label: t("backup.column.state"), width: "w-44" },
                { label: t("backup.column.size"), width: "w-24", end: true },
                { label: null, width: "w-12" },
              ]}
            >
              {data.rows.map((backup) => (
                <Row
                  key={backup.id}
                  backup={backup}
                  holds={holds(backup)}
                  busy={busy}
                  idle={busy === null}
                  readOnly={readOnly}
                  onCheck={() => void writes.check(backup)}
                  onAsk={(what) => ask({ what, backup })}
                />
              ))}
            </Table>
          </>
        )}
        <BackupSettingsPart readOnly={readOnly} />
        <div className="mt-6 flex max-w-190 items-start justify-between gap-6">
          <p className="max-w-[60ch] text-ui text-pretty text-ink-2">{t("backup.rebuildBody")}</p>
          <Button
            disabled={readOnly}
            aria-disabled={!idle || undefined}
            onClick={() => idle && void writes.rebuild()}
          >
            {t(busy?.what === "rebuilding" ? "backup.rebuilding" : "backup.rebuild")}
          </Button>
        </div>
      </>
    );
  };

  return (
    <section ref={region} tabIndex={-1} aria-label={t("control.tab.backups")} className="outline-none">
      <Damaged
        disabled={!idle}
        onRestore={(backup) => ask({ what: "restore", backup })}
        onAnew={() => setAnew(true)}
      />
      {body()}
      <Confirm
        open={anew}
        onClose={() => setAnew(false)}
        onConfirm={() => {
          setAnew(false);
          void writes.anew();
        }}
        title={t("backup.anewTitle")}
        body={t("backup.anewBody")}
        confirm={t("backup.anewDo")}
      />
      {asking && (
        <Confirm
          open
          onClose={() => setAsking(null)}
          onConfirm={answer}
          title={t(asking.what === "restore" ? "backup.restoreTitle" : "backup.purgeTitle", {
            when: exact(asking.backup.at),
          })}
          body={
            asking.what === "restore"
              ? `${t("backup.restoreBody", { what: holds(asking.backup), count: files })} ${t("backup.restoreBefore")}`
              : t("backup.purgeBody")
          }
          confirm={t(asking.what === "restore" ? "backup.restoreDo" : "backup.purgeDo")}
        >
          {scrubs > 0 && (
            <div className="grid gap-2">
              <p className="text-ui text-ink">
                {t(withScrubbed ? "backup.bringsBack" : "backup.scrubsFirst", { count: scrubs })}
              </p>
              <Checkbox checked={withScrubbed} onChange={setWithScrubbed}>
                {t("backup.withScrubbed", { count: scrubs })}
              </Checkbox>
            </div>
          )}
        </Confirm>
      )}
    </section>
  );
}

/** How much room the backups take of what they may. */
function BackupSpace({ list }: { list: BackupList }) {
  const i18n = useI18n();
  const { t } = i18n;
  const copy = useCopy();
  const share = list.maxBytes > 0 ? Math.min(1, list.bytes / list.maxBytes) : 0;
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-6 gap-y-2 text-meta text-ink-2">
      <span className="tabular text-ink">{t("backup.count", { count: list.rows.length })}</span>
      <span className="flex items-center gap-3">
        <span aria-hidden className="fc-border h-1.5 w-32 overflow-hidden rounded-full bg-line">
          <span className="block h-1.5 rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
        </span>
        <span className="tabular">
          {t("backup.used", { used: size(list.bytes, i18n), most: size(list.maxBytes, i18n) })}
        </span>
      </span>
      <span className="flex min-w-0 items-center gap-1">
        <code className="min-w-0 font-mono wrap-anywhere select-text">{list.folder}</code>
        <IconButton className="size-6!" label={t("backup.folder")} onClick={() => copy(list.folder)}>
          <Copy size={13} aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}

type RowProps = {
  backup: BackupView;
  holds: string;
  busy: Busy;
  idle: boolean;
  readOnly: boolean;
  onCheck(): void;
  onAsk(what: Asking["what"]): void;
};

function Row({ backup, holds, busy, idle, readOnly, onCheck, onAsk }: RowProps) {
  const i18n = useI18n();
  const { t, exact } = i18n;
  const mine = busy !== null && "id" in busy && busy.id === backup.id ? busy.what : null;
  return (
    <tr className={ROW}>
      <th scope="row" className="text-left font-normal">
        <Time iso={backup.at} className="text-ink" />
        <span className="block text-meta text-ink-2">{t(`backup.reason.${backup.reason}`)}</span>
      </th>
      <td className="text-ink-2">{holds}</td>
      <td>
        <State ok={backup.ok} doing={mine} />
        {backup.scrubsSince > 0 && (
          <span className="block text-meta text-ink-2">
            {t("backup.scrubsSince", { count: backup.scrubsSince })}
          </span>
        )}
      </td>
      <td className="text-right text-ink">{size(backup.bytes, i18n)}</td>
      <td className="text-right">
        <Menu
          align="end"
          trigger={
            <IconButton
              className="-my-1.5"
              label={t("backup.actions", { when: exact(backup.at) })}
              disabled={!idle}
            >
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
        >
          <MenuItem onSelect={onCheck}>{t("backup.check")}</MenuItem>
          <MenuItem disabled={readOnly || backup.ok === false} onSelect={() => onAsk("restore")}>
            {t("backup.restore")}
          </MenuItem>
          <MenuLine />
          <MenuItem disabled={readOnly} onSelect={() => onAsk("purge")}>
            {t("backup.purge")}
          </MenuItem>
        </Menu>
      </td>
    </tr>
  );
}

function State({ ok, doing }: { ok: boolean | null; doing: "checking" | "restoring" | "purging" | null }) {
  const { t } = useI18n();
  const Icon = doing ? LoaderCircle : ok === null ? CircleDashed : ok ? CircleCheck : CircleAlert;
  const hue = doing || ok === null ? "text-ink-2" : ok ? "text-ink" : "text-danger";
  return (
    <span role={doing ? "status" : undefined} className={`inline-flex items-center gap-1.5 ${hue}`}>
      <Icon size={14} aria-hidden className={ok && !doing ? "text-accent" : undefined} />
      {doing
        ? t(doing === "restoring" ? "backup.restoring" : "backup.checking")
        : t(ok === null ? "backup.unchecked" : ok ? "backup.good" : "backup.bad")}
    </span>
  );
}
