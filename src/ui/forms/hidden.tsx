interface Props {
  /** Names and values. */
  readonly values: Iterable<readonly [name: string, value: string]>;
}

/** Hidden fields. */
export const HiddenFields = ({ values }: Props) => (
  <>
    {Array.from(values, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
