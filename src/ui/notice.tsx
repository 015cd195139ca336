import type { PropsWithChildren } from "hono/jsx";
import { Icon, type IconName } from "./icon.tsx";

const icons = {
  good: "check",
  info: "info",
  warn: "triangle-alert",
  bad: "circle-alert",
} as const satisfies Record<string, IconName>;

interface Props {
  readonly kind: keyof typeof icons;
  /** `status` for something that has just happened, which screen readers announce. */
  readonly role?: "status";
}

/** A message above the content. */
export function Notice({ kind, role, children }: PropsWithChildren<Props>) {
  return (
    <div class={`notice ${kind}`} role={role}>
      <Icon name={icons[kind]} />
      <div>{children}</div>
    </div>
  );
}
