/** A magnifying glass. Decorative. */
export function SearchIcon() {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      aria-hidden="true"
    >
      <circle cx="6.5" cy="6.5" r="5" />
      <path d="M10.5 10.5 15 15" stroke-linecap="round" />
    </svg>
  );
}
