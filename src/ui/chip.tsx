import { Icon } from "./icon.tsx";
import { directionOf } from "./values/direction.ts";

interface Props {
  readonly label: string;
  readonly value: string;
  /** The page without this filter. */
  readonly removeHref: string;
}

/** An active filter, with a link to the page without it. */
export const Chip = ({ label, value, removeHref }: Props) => (
  <a class="chip" href={removeHref}>
    <span class="visually-hidden">Remove the filter </span>
    <span>{label}:</span> <strong dir={directionOf(value)}>{value}</strong>
    <Icon name="x" />
  </a>
);
