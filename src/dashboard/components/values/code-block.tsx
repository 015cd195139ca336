import type { Child } from "hono/jsx";
import { Icon } from "../icon.tsx";

interface Props {
  readonly text: string;
  /** The purpose of the code, for the button. */
  readonly label: string;
  /** The language, at the head of the block, or a choice among some. */
  readonly language: Child;
}

/** Code under a bar with its language, to copy by the button, or by hand without scripts. */
export const CodeBlock = ({ text, label, language }: Props) => (
  <div class="code-block">
    <div class="code-bar">
      {language}
      <button class="button plain" type="button" data-copy={text} data-copied="Copied" data-script="" hidden>
        <Icon name="copy" />
        <span>
          Copy<span class="visually-hidden"> {label}</span>
        </span>
      </button>
    </div>
    <pre>
      <code>{text}</code>
    </pre>
  </div>
);
