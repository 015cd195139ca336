import { toBase64 } from "../text/base64.ts";
import { digest } from "../crypto/crypto.ts";

/** The source that lets a page apply this very stylesheet of its own, for the `style-src` of its policy. */
export const styleSource = async (css: string): Promise<string> => `'sha256-${toBase64(await digest(css))}'`;
