import { cardSize } from "../image/card.ts";

interface LinkImageProps {
  /** The picture's whole address: readers of link previews don't resolve relative ones. */
  readonly url: string;
  readonly alt: string;
  /** Whether it is a drawing of this service, whose size is known. */
  readonly drawn: boolean;
}

/** The metadata about a page's picture in link previews. */
export const LinkImage = ({ url, alt, drawn }: LinkImageProps) => (
  <>
    <meta property="og:image" content={url} />
    {drawn && <meta property="og:image:width" content={String(cardSize.width)} />}
    {drawn && <meta property="og:image:height" content={String(cardSize.height)} />}
    {alt !== "" && <meta property="og:image:alt" content={alt} />}
    <meta name="twitter:card" content="summary_large_image" />
  </>
);
