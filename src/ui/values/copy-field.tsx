interface Props {
  readonly label: string;
  readonly value: string;
  /** The field's id, where a page has several. */
  readonly id?: string;
}

/** A value to copy with the button or, without scripts, by hand. */
export function CopyField({ label, value, id = "copied-value" }: Props) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy">
        <input class="entry" id={id} value={value} readonly />
        <button class="button" type="button" data-copy={value} data-copied="Copied" data-script="" hidden>
          Copy
        </button>
      </div>
    </div>
  );
}
