/** Code to copy: by the button, or by hand without scripts. @param label what it is, for the button */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class="code-block">
      <pre>
        <code>{text}</code>
      </pre>
      <button class="button" type="button" data-copy={text} data-copied="Copied" data-script="" hidden>
        Copy<span class="visually-hidden"> {label}</span>
      </button>
    </div>
  );
}
