import type { Child, PropsWithChildren } from "hono/jsx";
import { Icon } from "./icon.tsx";
import { type HeadingWords, noteHeading } from "./top-row.tsx";
import { directionOf } from "./values/direction.ts";

interface Props extends Pick<HeadingWords, "back"> {
  readonly title: string;
  /** Shown beside the title, such as a status. */
  readonly beside?: Child;
}

/** A page's heading. @param children its actions */
export function Head({ title, back, beside, children }: PropsWithChildren<Props>) {
  noteHeading({ title, back });
  return (
    <div class="head">
      <div class={back === undefined ? "heading" : "heading with-back"}>
        {back !== undefined && (
          <a class="back" href={back.path}>
            <Icon name="chevron-left" />
            <span dir={directionOf(back.name)}>{back.name}</span>
          </a>
        )}
        <h1 lang={languageOf(title)} dir={directionOf(title)}>
          {title}
        </h1>
        {beside}
      </div>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  );
}

/** Marks Japanese, which has no spaces, so that browsers can break it between phrases. */
const languageOf = (title: string): "ja" | undefined =>
  /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(title) ? "ja" : undefined;
