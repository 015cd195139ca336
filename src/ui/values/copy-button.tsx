import { Icon } from "../icon.tsx";

interface Props {
  readonly text: string;
  /** Names it, after "Copy". */
  readonly name: string;
}

/** A button beside a text that copies it. Without words, and shown where scripts run. */
export const CopyButton = ({ text, name }: Props) => (
  <button
    class="button plain"
    type="button"
    data-copy={text}
    data-copied="Copied"
    data-script=""
    aria-label={`Copy ${name}`}
    hidden
  >
    <Icon name="copy" />
  </button>
);
