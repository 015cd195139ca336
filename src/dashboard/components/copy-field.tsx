/** A value to copy: by the button, or by hand without scripts. */
export function CopyField({ label, value }: { label: string; value: string }) {
  return (
    <div class="field">
      <label for="copied-value">{label}</label>
      <div class="copy">
        <input class="entry" id="copied-value" value={value} readonly />
        <button class="button" type="button" data-copy={value} data-copied="Copied" data-script="" hidden>
          Copy
        </button>
      </div>
    </div>
  );
}
