/** Inline text of the document. Text between backticks is code. */
export function Prose({ text }: { text: string }) {
  return <span>{text.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</span>;
}

/** Code with a copy button, which the page's script shows. Long lines wrap, so that nothing scrolls sideways. */
export function Code({ language, text }: { language: "Shell" | "JSON"; text: string }) {
  return (
    <div class="sample">
      <div class="bar">
        <span>{language}</span>
        <button type="button" class="copy" hidden>
          Copy
        </button>
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** A name that may wrap before each new word: `stats.` `unique` `Visitors`. */
export function Name({ text }: { text: string }) {
  const words = text.split(/(?<=\.)|(?<=[a-z])(?=[A-Z])/);
  return <span>{words.flatMap((word, at) => (at === 0 ? [word] : [<wbr />, word]))}</span>;
}
