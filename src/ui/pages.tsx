interface Props {
  /** The list's address without a cursor. */
  readonly address: string;
  readonly isFirst: boolean;
  readonly nextCursor: string | null;
}

/** Links for moving forward through a list. The browser's Back button leads to the previous page. */
export function Pages({ address, isFirst, nextCursor }: Props) {
  if (isFirst && nextCursor === null) return null;
  const separator = address.includes("?") ? "&" : "?";
  return (
    <nav class="pages" aria-label="Pages of the list">
      {isFirst ? (
        <span />
      ) : (
        <a class="button" href={address}>
          First page
        </a>
      )}
      {nextCursor !== null && (
        <a class="button" rel="next" href={`${address}${separator}cursor=${encodeURIComponent(nextCursor)}`}>
          Next page
        </a>
      )}
    </nav>
  );
}
