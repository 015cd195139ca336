/** The field by which a form that is submitted twice is recognised. @param value that the form had before, if it is shown again */
export const FormKey = ({ value }: { value?: string | null }) => (
  <input type="hidden" name="key" value={value ?? crypto.randomUUID()} autocomplete="off" />
);
