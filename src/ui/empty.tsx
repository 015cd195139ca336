import type { PropsWithChildren } from "hono/jsx";

/** Random modules between the finders, on a grid of 21 columns and rows. */
const faint =
  "M9 0h1v2H9zM11 1h2v1h-2zM9 4h3v1H9zM12 5h1v2h-1zM10 6h1v1h-1zM0 9h2v1H0zM4 9h2v2H4zM2 12h3v1H2zM6 12h1v1H6zM8 9h2v1H8z" +
  "M9 11h3v1H9zM11 9h1v1h-1zM13 10h2v1h-2zM17 9h1v2h-1zM19 9h2v1h-2zM15 12h1v1h-1zM18 12h2v1h-2zM8 14h1v2H8zM10 14h2v1h-2z" +
  "M10 17h1v2h-1zM12 16h1v1h-1zM12 19h2v1h-2zM8 20h2v1H8zM20 15h1v3h-1zM14 19h1v2h-1zM17 19h2v1h-2zM20 20h1v1h-1z";
const finders =
  "M0 0h7v7H0zm1 1v5h5V1zm1 1h3v3H2zM14 0h7v7h-7zm1 1v5h5V1zm1 1h3v3h-3zM0 14h7v7H0zm1 1v5h5v-5zm1 1h3v3H2z";
const alignment = "M14 14h5v5h-5zm1 1v3h3v-3z";

/** Replaces an empty list. @param children buttons for what to do next */
export function Empty({ title, text, children }: PropsWithChildren<{ title: string; text: string }>) {
  return (
    <div class="empty">
      <svg viewBox="0 0 21 21" width="84" height="84" aria-hidden="true">
        <path class="faint" d={faint} />
        <path fill="currentColor" fill-rule="evenodd" d={finders} />
        <path fill="currentColor" fill-rule="evenodd" d={alignment} />
        <path class="lit" d="M16 16h1v1h-1z" />
      </svg>
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  );
}
