import type { Child } from "hono/jsx";
import { Icon } from "../icon.tsx";

interface Props {
  readonly text: string;
  /** The purpose of the code, to name the button. */
  readonly label: string;
  /** The language, or a choice of languages, shown above the code. */
  readonly language: Child;
}

/** Code below a bar with its language, to copy with the button or, without scripts, by hand. */
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
