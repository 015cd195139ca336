/** Text of the document, within a line: what stands between backticks is code. */
export function Prose({ text }: { text: string }) {
  return <span>{text.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part))}</span>;
}

/** Something to copy. Long lines wrap, so that nothing has to be scrolled sideways. */
export function Code({ text }: { text: string }) {
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

/** A name that may break where a new word begins: `stats.` `unique` `Visitors`. */
export function Name({ text }: { text: string }) {
  const words = text.split(/(?<=\.)|(?<=[a-z])(?=[A-Z])/);
  return <span>{words.flatMap((word, at) => (at === 0 ? [word] : [<wbr />, word]))}</span>;
}
