import type { Child, PropsWithChildren } from "hono/jsx";
import { Icon } from "./icon.tsx";

interface Props {
  readonly title: string;
  /** The page above this one. */
  readonly back?: { readonly path: string; readonly name: string };
  /** Stands beside the title, such as a status. */
  readonly beside?: Child;
}

/** The heading of a page. @param children its actions */
export function Head({ title, back, beside, children }: PropsWithChildren<Props>) {
  return (
    <div class="head">
      <div class={back === undefined ? "heading" : "heading with-back"}>
        {back !== undefined && (
          <a class="back" href={back.path}>
            <Icon name="chevron-left" />
            <span>{back.name}</span>
          </a>
        )}
        <h1 lang={languageOf(title)}>{title}</h1>
        {beside}
      </div>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  );
}

/** Japanese, which has no spaces, is broken between phrases where the browser knows the language. */
const languageOf = (title: string): "ja" | undefined =>
  /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(title) ? "ja" : undefined;
