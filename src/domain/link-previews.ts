import { ImageQuery } from "../contract/resources/images/images.ts";
import { sha256Hex } from "../lib/crypto/digest.ts";
import { type Card, cardSize, drawCard } from "../lib/image/card.ts";
import type { DrawnFile } from "../lib/web/file-response.ts";
import type { PageRoute } from "../protocol/routes.ts";
import { openSharedLink, subjectTitle } from "./analytics/sharing.ts";
import type { Deps } from "./deps.ts";
import { glyphs } from "./images/glyphs.ts";
import { cached, getCodeImage, requireDrawingAllowed } from "./images/images.ts";
import { askImagesWorker, notInstalled } from "./images-worker.ts";
import { resolvePalettes } from "./pages/palette.ts";

/** Part of every ETag: incremented when the drawing changes, so that caches fetch new pictures. */
const cardVersion = 1;

const asked = { what: "The picture for link previews", instead: "The page itself works without it." };

/** Returns the picture of a hosted page for link previews. @throws rate_limited or internal (503) when it is drawn */
export function pageCard(deps: Deps, { content }: PageRoute, clientAddress: string): Promise<DrawnFile> {
  const host = hostOf(deps);
  const title = drawable(content.title) || host;
  const card = {
    title,
    caption: "",
    footer: title === host ? "" : host,
    look: content.look,
    colors: resolvePalettes(content).light,
  };
  return cardFile(deps, card, clientAddress);
}

/**
 * Returns the picture of a shared report for link previews. It has no figures, because those who read the link keep it.
 * @throws not_found as the report itself; rate_limited; internal (503)
 */
export async function sharedReportCard(deps: Deps, token: string, clientAddress: string): Promise<DrawnFile> {
  const { context, workspaceName, subject } = await openSharedLink(deps, token, clientAddress);
  const host = hostOf(deps);
  const title = drawable(subjectTitle(subject, workspaceName)) || host;
  const card = {
    title,
    caption: subject.kind === "workspace" ? "" : drawable(workspaceName),
    footer: title === host ? "" : host,
    look: "plain",
    colors: { background: "#ffffff", text: "#14161b", accent: "#14161b", onAccent: "#ffffff" },
  } as const;
  const picture =
    subject.kind === "code" ? await getCodeImage(deps, context, subject.qr.id, codePicture) : undefined;
  return cardFile(deps, card, clientAddress, picture);
}

/** The picture of a code, as large as it is shown. */
const codePicture = ImageQuery.parse({ format: "png", size: "360" });

async function cardFile(
  deps: Deps,
  card: Card,
  clientAddress: string,
  picture?: DrawnFile,
): Promise<DrawnFile> {
  if (deps.images === undefined) throw notInstalled(asked);
  const tag = await sha256Hex(JSON.stringify([cardVersion, card, picture?.tag]));
  const file: DrawnFile = {
    mediaType: "image/png",
    filename: "og.png",
    attachment: false,
    tag: `"${tag.slice(0, 32)}"`,
    draw: async () => {
      const bytes = await picture?.draw();
      const uri = bytes && `data:image/png;base64,${bytes.toBase64()}`;
      const svg = drawCard(card, glyphs(), uri);
      return askImagesWorker(deps, asked, (images) => images.png(svg, cardSize.width));
    },
  };
  return cached(deps, file, () => requireDrawingAllowed(deps, clientAddress));
}

const hostOf = ({ settings }: Deps): string => new URL(settings.scanOrigin).host;

/**
 * Returns a text without the characters that can't be drawn, such as emoji. Empty if letters are among them, because
 * words with missing letters say nothing.
 */
function drawable(text: string): string {
  const missing = [...text.normalize("NFC")].filter((each) => glyphs().firstMissing(each) !== undefined);
  if (missing.some((each) => /[\p{L}\p{M}\p{N}]/u.test(each) && each !== "\u{fe0f}")) return "";
  const left = new Set(missing);
  return [...text.normalize("NFC")]
    .filter((each) => !left.has(each))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
