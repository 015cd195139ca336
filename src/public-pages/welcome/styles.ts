import { unindent } from "../../lib/text/unindent.ts";
import styles from "./welcome.css" with { type: "text" };

const compact = unindent(styles).replaceAll("\n", "");

/** Returns the page's stylesheet. @param files the addresses of the fonts, by the names that it has in braces */
export const welcomeStyles = (files: Readonly<Record<"inter.woff2" | "plex-mono.woff2", string>>): string =>
  compact.replace(/\{((?:inter|plex-mono)\.woff2)\}/g, (_, font: keyof typeof files) => files[font]);
