import { Dialog } from "@base-ui/react/dialog";
import { Command } from "cmdk";
import { type ActionGroup, useAllActions } from "../components/actions";
import { Keys } from "../components/Keys";
import { useI18n } from "../i18n/i18n";

const GROUPS: readonly ActionGroup[] = [
  "memory",
  "conversation",
  "named",
  "activity",
  "go",
  "view",
  "transfer",
  "workspace",
  "control",
  "settings",
];

/** Every action that can be taken now, by name. */
export function CommandPalette({ onClose }: { onClose(): void }) {
  const { t } = useI18n();
  const actions = useAllActions();
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup className="appear fixed top-[14vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-[560px] -translate-x-1/2 overflow-hidden rounded-md border border-line bg-raised shadow-pop outline-none">
          <Dialog.Title className="sr-only">{t("palette.title")}</Dialog.Title>
          <Command label={t("palette.title")} loop>
            <Command.Input
              autoFocus
              placeholder={t("palette.placeholder")}
              className="h-12 w-full border-b border-line bg-transparent px-4 text-[15px] text-ink outline-none placeholder:text-ink-3"
            />
            <Command.List className="max-h-[min(420px,56vh)] overflow-y-auto p-2" label={t("palette.title")}>
              <Command.Empty className="px-3 py-8 text-center text-ui text-ink-2">
                {t("palette.empty")}
              </Command.Empty>
              {GROUPS.map((group) => {
                const members = actions
                  .filter((action) => action.group === group && action.id !== "go.palette")
                  .sort((a, b) => Number(b.keys !== undefined) - Number(a.keys !== undefined));
                if (members.length === 0) return null;
                return (
                  <Command.Group
                    key={group}
                    heading={t(`palette.group.${group}`)}
                    className="pb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-ink-3"
                  >
                    {members.map((action) => (
                      <Command.Item
                        key={action.id}
                        value={`${action.label} ${action.id}`}
                        onSelect={() => {
                          onClose();
                          // After the dialog has given the focus back, so that the action may place it elsewhere.
                          setTimeout(action.run, 0);
                        }}
                        className="flex h-9 items-center gap-3 rounded-sm px-2 text-ui text-ink data-[selected=true]:bg-accent-wash"
                      >
                        {action.icon}
                        <span className="flex-1 truncate">{action.label}</span>
                        {action.keys && <Keys keys={action.keys.split(" ")[0] ?? ""} />}
                      </Command.Item>
                    ))}
                  </Command.Group>
                );
              })}
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
