import { sha256Bytes } from "../crypto/digest.ts";

/** Returns the `style-src` source that allows exactly this inline stylesheet. */
export const styleSource = async (css: string): Promise<string> =>
  `'sha256-${(await sha256Bytes(css)).toBase64()}'`;
