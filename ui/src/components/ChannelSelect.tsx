import type { ChannelView } from "../ipc/bindings.gen";
import { Select } from "./Select";
import { TierIcon } from "./Tier";

/** A channel as one of the options of a `Select`. */
export const channelOption = ({ id, name }: Pick<ChannelView, "id" | "name">) => ({
  value: id,
  label: `#${name}`,
  icon: <TierIcon scope="channel" />,
});

type ChannelSelectProps = {
  label: string;
  /** The id of the chosen one. */
  value: string;
  onChange(id: string): void;
  channels: readonly ChannelView[];
};

/** One channel out of some. */
export function ChannelSelect({ label, value, onChange, channels }: ChannelSelectProps) {
  return <Select label={label} value={value} onChange={onChange} options={channels.map(channelOption)} />;
}
