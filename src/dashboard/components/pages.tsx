interface Props {
  /** The list's address without a cursor. */
  readonly address: string;
  readonly isFirst: boolean;
  readonly nextCursor: string | null;
}

/** Links through a list. The browser's own button leads to the page before. */
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
