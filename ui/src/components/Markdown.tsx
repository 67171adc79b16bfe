import { ImageOff } from "lucide-react";
import { type ReactNode, useContext } from "react";
import ReactMarkdown, { type Components, type ExtraProps, type Options } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { useI18n } from "../i18n/i18n";
import { NamesContext, WikiContext } from "./names/context";
import { NameLink } from "./names/NameLink";
import { NAME_ATTRIBUTES, NAME_TAG, rehypeNames } from "./names/rehypeNames";
import { WrittenLink } from "./names/WrittenLink";
import { PageTextContext } from "./pageText/context";
import { rehypePage } from "./pageText/rehypePage";
import { WikiLink } from "./pageText/WikiLink";
import { WIKI_TAG } from "./rehypeText";
import { rehypeWiki } from "./rehypeWiki";
import { useCopy } from "./useCopy";
import { visible } from "./visible";

/**
 * Memory text is untrusted: it may come from an import or another agent. No HTML of its own, no pictures (a remote
 * one would tell its server that you read it), and only web and mail addresses survive in links.
 */
const SCHEMA = {
  ...defaultSchema,
  protocols: { href: ["http", "https", "mailto"] },
  attributes: {
    ...defaultSchema.attributes,
    img: ["alt"],
    [NAME_TAG]: NAME_ATTRIBUTES,
    [WIKI_TAG]: ["dataWritten"],
  },
};

/** One function for all texts: a name under the pointer is not drawn anew. */
function Name({ node, children }: { children?: ReactNode } & ExtraProps) {
  const { dataSubject, dataRepeat } = node?.properties ?? {};
  if (typeof dataSubject !== "string") return children;
  return (
    <NameLink id={dataSubject} repeat={dataRepeat !== undefined}>
      {children}
    </NameLink>
  );
}

function Wiki({ node, children }: { children?: ReactNode } & ExtraProps) {
  const { dataWritten } = node?.properties ?? {};
  const Link = useContext(PageTextContext) ? WikiLink : WrittenLink;
  return typeof dataWritten === "string" ? <Link written={dataWritten}>{children}</Link> : children;
}

function useComponents(): Components {
  const { t } = useI18n();
  const copy = useCopy();
  return {
    a: ({ href, children }) =>
      href && !href.startsWith("#") ? (
        <button
          type="button"
          title={t("text.link", { url: href })}
          className="cursor-pointer text-accent underline decoration-dotted underline-offset-3"
          onClick={() => copy(href, "text.linkCopied")}
        >
          {children}
        </button>
      ) : (
        <span>{children}</span>
      ),
    img: ({ alt }) => (
      <span className="inline-flex items-center gap-1 rounded-sm bg-sunken px-2 font-sans text-meta text-ink-2">
        <ImageOff size={12} aria-hidden />
        {alt ? t("text.image", { alt }) : t("text.imageNoAlt")}
      </span>
    ),
    [NAME_TAG]: Name,
    [WIKI_TAG]: Wiki,
    input: ({ checked }) => <span aria-hidden>{checked ? "☑ " : "☐ "}</span>,
  };
}

export function Markdown({ text }: { text: string }) {
  const components = useComponents();
  const names = useContext(NamesContext);
  const page = useContext(PageTextContext);
  const hasLinks = useContext(WikiContext);
  const plugins: NonNullable<Options["rehypePlugins"]> = [];
  // The links of a page are known with it; what others lead to is asked when they are drawn.
  if (page) plugins.push([rehypePage, page]);
  else if (hasLinks) plugins.push(rehypeWiki);
  if (names) plugins.push([rehypeNames, names]);
  // Last: nothing comes behind it.
  plugins.push([rehypeSanitize, SCHEMA]);
  return (
    <div className="memory-prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} rehypePlugins={plugins} components={components} skipHtml>
        {visible(text)}
      </ReactMarkdown>
    </div>
  );
}
