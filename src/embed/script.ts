import { unindent } from "../lib/text/unindent.ts";
import styles from "./widget.css" with { type: "text" };
import script from "./widget.js" with { type: "text" };

/**
 * The widget's script.
 * @param appOrigin the origin of the API
 */
export const widgetScript = (appOrigin: string): string =>
  unindent(script)
    .replace('"{apiOrigin}"', () => JSON.stringify(appOrigin))
    .replace('"{styles}"', () => JSON.stringify(unindent(styles).replaceAll("\n", "")));
