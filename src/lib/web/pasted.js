// Used by the service, and by the browser while a form is filled in.

/** @typedef {import("./pasted.d.ts").Place} Place */
/** @typedef {import("./pasted.d.ts").Pasted} Pasted */

/** No links that people paste are longer. */
const longestMapLink = 4096;

const degrees = String.raw`(-?\d{1,3}(?:\.\d{1,20})?)`;
/** Coordinates with decimals, which two other numbers rarely have. */
const coordinates = /^(-?\d{1,3}\.\d{1,20})°?(?:\s*[,;]\s*|\s+)(-?\d{1,3}\.\d{1,20})°?$/;
/** Coordinates with decimal commas, and at least two decimals, since lists of numbers have commas, too. */
const withCommas = /^(-?\d{1,3}),(\d{2,20})°?(?:\s*;\s*|,\s+|\s+)(-?\d{1,3}),(\d{2,20})°?$/;
const pair = new RegExp(String.raw`^(?:loc:)?\s*${degrees}\s*,[\s+]*${degrees}(?![\d.])`);
const pin = new RegExp(`!3d${degrees}!4d${degrees}`);
const middleOfMap = new RegExp(String.raw`[#&]map=[\d.]+/${degrees}/${degrees}(?![\d.])`);

/**
 * Returns a text without spaces at its ends, and without the marks of direction that phones put around numbers.
 * @param {string} input
 */
const seen = (input) => input.replace(/\p{Bidi_Control}/gu, "").trim();

/**
 * Returns the place in a link copied from a map or in coordinates, without a request; null for any other text.
 *
 * Google Maps has the pin in its data (`!3d…!4d…`), in `q`, `query`, `ll` or a path, and the centre of the view after
 * `@`; Apple Maps in `ll` or `coordinate`; OpenStreetMap in `mlat` and `mlon`, or the centre in `#map=`. `geo:` is RFC
 * 5870.
 * @param {string} input
 * @returns {Place | null}
 */
export function readMapLink(input) {
  const text = seen(input);
  if (text.length > longestMapLink) return null;
  const numbers = text.replaceAll("\u2212", "-").replace(withCommas, "$1.$2, $3.$4");
  if (coordinates.test(numbers)) return placeOf(coordinates.exec(numbers));
  if (/^geo:/i.test(text)) return readGeo(text.slice("geo:".length));
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (/(^|\.)google\.[a-z]{2,3}(\.[a-z]{2})?$/.test(url.hostname)) return readGoogle(url);
  if (url.hostname === "maps.apple.com") return readApple(url);
  return /(^|\.)(openstreetmap|osm)\.org$/.test(url.hostname) ? readOpenStreetMap(url) : null;
}

/**
 * Reads `48.2,16.4`, possibly followed by altitude, parameters or a name in brackets, as Android writes them.
 * @param {string} rest
 */
function readGeo(rest) {
  const [place = "", query = ""] = rest.split("?", 2);
  const q = new URLSearchParams(query).get("q") ?? "";
  return named(firstPair([q, place]), /\(([^()]+)\)\s*$/.exec(q)?.[1]);
}

/** @param {URL} url */
function readGoogle({ hostname, pathname, searchParams }) {
  if (!hostname.startsWith("maps.") && !pathname.startsWith("/maps")) return null;
  const path = decoded(pathname);
  const inQuery = ["q", "query", "ll", "destination", "center"].map((name) => searchParams.get(name));
  const inPath = /\/(?:place|search)\/([^/]+)/.exec(path)?.[1];
  const middle = /@([^/]+)/.exec(path)?.[1];
  const found = placeOf(pin.exec(path)) ?? firstPair([...inQuery, inPath, middle]);
  return named(found, /\/place\/([^/@]+)\//.exec(path)?.[1]?.replaceAll("+", " "));
}

/** @param {URL} url */
function readApple({ searchParams }) {
  const found = firstPair(["ll", "coordinate", "q", "sll", "center"].map((name) => searchParams.get(name)));
  return named(found, searchParams.get("name") ?? searchParams.get("q"));
}

/** @param {URL} url */
function readOpenStreetMap({ searchParams, hash }) {
  const { mlat = "", mlon = "" } = Object.fromEntries(searchParams);
  return firstPair([`${mlat},${mlon}`]) ?? placeOf(middleOfMap.exec(hash));
}

/** @param {readonly (string | null | undefined)[]} texts */
function firstPair(texts) {
  for (const text of texts) {
    const found = placeOf(pair.exec(text ?? ""));
    if (found !== null) return found;
  }
  return null;
}

/** @param {RegExpExecArray | null} match @returns {Place | null} */
function placeOf(match) {
  const [, latitude, longitude] = match ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
    ? { latitude, longitude }
    : null;
}

/**
 * Adds the name to a place, unless it just repeats the coordinates.
 * @param {Place | null} place
 * @param {string | null | undefined} label
 */
function named(place, label) {
  const isName = label && /\p{L}{2}/u.test(label) && !pair.test(label);
  return place === null || !isName ? place : { ...place, label: label.trim().slice(0, 200) };
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const email = /^[^\s@/:,;]+@[^\s@/:,;]+\.[^\s@/:,;.]+$/;
/** As people write them: with a country code, or at least a leading zero. */
const phone = /^\(?(?:\+|0)[\d\s()./-]{5,30}$/;
const dottedAddress = /^\d+(?:\.\d+){3}$/;

/**
 * Returns what a pasted text leads to: a link, a phone number, an email address, a place or the name of a Telegram
 * account. Null for a text that is none of them, or not yet.
 * @param {string} input
 * @returns {Pasted | null}
 */
export function readPasted(input) {
  const text = seen(input);
  const [, bare = text] = /^(?:mailto|tel|sms):([^?]+)/i.exec(text) ?? [];
  if (email.test(bare)) return { types: ["email"], text: bare };
  if (phone.test(bare) && !dottedAddress.test(bare) && (bare.match(/\d/g) ?? []).length >= 6) {
    return { types: ["sms", "whatsapp"], text: bare };
  }
  if (/^@\w{4,32}$/.test(text)) return { types: ["telegram"], text };
  const isLink = /^https?:\/\/\S+$/i.test(text) || /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(text);
  if (readMapLink(text) !== null) {
    return isLink ? { types: ["location", "url"], text } : { types: ["location"], text };
  }
  return isLink ? { types: ["url"], text } : null;
}
