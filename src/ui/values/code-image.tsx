import type { Qr } from "../../contract/resources/codes/qr.ts";

/** Returns the address of a code's image. It changes with the code, so that caches never show an old one. */
export const codeImageAddress = ({ scanUrl, updatedAt }: Qr): string =>
  `${scanUrl}.svg?margin=2&v=${Date.parse(updatedAt)}`;

interface Props {
  readonly qr: Qr;
  /** CSS pixels. */
  readonly size?: number;
  /** Whether to load it with the page, so that it is available in print. */
  readonly eager?: boolean;
}

/** The small image of a code in a list, next to its name. */
export const Thumbnail = ({ qr, size = 40, eager = false }: Props) => (
  <img
    class="code-image"
    src={codeImageAddress(qr)}
    alt=""
    width={size}
    height={size}
    loading={eager ? undefined : "lazy"}
  />
);
