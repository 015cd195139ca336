interface Props {
  /** Names and values. */
  readonly values: Iterable<readonly [name: string, value: string]>;
}

/** Values that a form submits without showing them. */
export const HiddenFields = ({ values }: Props) => (
  <>
    {Array.from(values, ([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
);
