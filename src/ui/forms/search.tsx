import type { PropsWithChildren } from "hono/jsx";
import { Icon } from "../icon.tsx";

interface Props {
  /** The address of the list. */
  readonly path: string;
  readonly name?: string;
  /** Names the list, such as "Search folders". */
  readonly label: string;
  readonly value: string;
  readonly maxLength?: number;
}

/** The search of a list, which Enter starts. Results have an address. @param children hidden fields */
export const Search = ({ path, name = "q", label, value, maxLength, children }: PropsWithChildren<Props>) => (
  <form class="search" action={path} method="get">
    <Icon name="search" />
    <input
      class="entry"
      type="search"
      name={name}
      value={value}
      maxlength={maxLength}
      aria-label={label}
      placeholder={label}
    />
    {children}
  </form>
);
