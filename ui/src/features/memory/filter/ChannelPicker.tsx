import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../components/Select";
import { TierIcon } from "../../../components/Tier";
import { useI18n } from "../../../i18n/i18n";
import { channelsQuery } from "../../../ipc/queries";

type PickerProps = { value: string | undefined; onChange(id: string | undefined): void };

export function ChannelPicker({ value, onChange }: PickerProps) {
  const { t } = useI18n();
  const { data = [] } = useQuery(channelsQuery);
  return (
    <Select
      ghost
      label={t("channel.label")}
      value={value ?? ""}
      onChange={(id) => onChange(id === "" ? undefined : id)}
      options={[
        { value: "", label: t("channel.all") },
        ...data.map((channel) => ({
          value: channel.id,
          label: t("channel.option", { name: channel.name, count: channel.memories }),
          icon: <TierIcon scope="channel" />,
        })),
      ]}
    />
  );
}
