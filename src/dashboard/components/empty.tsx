import type { PropsWithChildren } from "hono/jsx";

/** Stands where a list would be, and leads on. @param children buttons */
export function Empty({ title, text, children }: PropsWithChildren<{ title: string; text: string }>) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="buttons">{children}</div>}
    </div>
  );
}
