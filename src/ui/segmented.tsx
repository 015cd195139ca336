import type { Child } from "hono/jsx";

interface Props {
  readonly label: string;
  readonly items: readonly { readonly href: string; readonly text: Child; readonly current: boolean }[];
}

/** A few choices on one line, one of them active. */
export const Segmented = ({ label, items }: Props) => (
  <nav aria-label={label}>
    <ul class="segmented">
      {items.map(({ href, text, current }) => (
        <li>
          <a href={href} aria-current={current ? "true" : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
