import { memo, type RefObject } from "react";
import { useAddressed } from "../../components/hooks";
import { SearchField } from "../../components/SearchField";
import { useI18n } from "../../i18n/i18n";

type SearchBarProps = {
  input: RefObject<HTMLInputElement | null>;
  /** The words in the address. */
  address: string;
  /** The typing rests: the address may follow. */
  onRest(text: string): void;
  onType(text: string): void;
  onLeave(): void;
  onEnter(): void;
};

/** The search field. It alone is drawn again with every letter; the page follows with the words that are asked for. */
export const SearchBar = memo(function SearchBar(props: SearchBarProps) {
  const { t } = useI18n();
  const [text, setText] = useAddressed(props.address, props.onRest, props.onType);
  return (
    <SearchField
      shortcut="memory.search"
      input={props.input}
      label={t("search.label")}
      placeholder={t("search.placeholder")}
      value={text}
      onChange={setText}
      onLeave={props.onLeave}
      onEnter={props.onEnter}
    />
  );
});
