import { unindent } from "../../lib/text/unindent.ts";
import cardStyles from "./card.css" with { type: "text" };
import styles from "./welcome.css" with { type: "text" };
import demoStyles from "./widget-demo.css" with { type: "text" };

const compact = unindent(cardStyles + styles + demoStyles).replaceAll("\n", "");

/** Returns the stylesheet of the welcome page and the widget's demo. @param files the addresses of the fonts, by the names that it has in braces */
export const welcomeStyles = (files: Readonly<Record<"inter.woff2" | "plex-mono.woff2", string>>): string =>
  compact.replace(/\{((?:inter|plex-mono)\.woff2)\}/g, (_, font: keyof typeof files) => files[font]);
