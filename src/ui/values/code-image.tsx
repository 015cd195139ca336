import { createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";

/** The origin of the images: the scan origin, the only other one that the pages' policy allows. */
const ImageOrigin = createContext("");

/** Draws its children with images of codes from an origin, whichever domains the codes have. */
export const WithCodeImages = ({ scanOrigin, children }: PropsWithChildren<{ scanOrigin: string }>) => (
  <ImageOrigin.Provider value={scanOrigin}>{children}</ImageOrigin.Provider>
);

interface Props {
  readonly qr: Qr;
  /** CSS pixels. */
  readonly size: number;
  readonly alt: string;
  readonly class?: string;
  readonly loading?: "lazy" | undefined;
}

/** The image of a code. Its address changes with the code, so that caches never show an old one. */
export function CodeImage({ qr: { hash, updatedAt }, size, alt, ...attributes }: Props) {
  const address = `${useContext(ImageOrigin)}/${hash}.svg?margin=2&v=${Date.parse(updatedAt)}`;
  return <img src={address} width={size} height={size} alt={alt} {...attributes} />;
}

interface ThumbnailProps {
  readonly qr: Qr;
  /** CSS pixels. */
  readonly size?: number;
  /** Whether to load it with the page, so that it is available in print. */
  readonly eager?: boolean;
}

/** The small image of a code in a list, next to its name. */
export const Thumbnail = ({ qr, size = 40, eager = false }: ThumbnailProps) => (
  <CodeImage qr={qr} size={size} alt="" class="code-image" loading={eager ? undefined : "lazy"} />
);
