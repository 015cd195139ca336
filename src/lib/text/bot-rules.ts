import { isbot } from "isbot";

/**
 * The rules that make a scan a bot's, in order, each with the programs that it is for, as Markdown for the
 * documentation.
 */
export const botRules = {
  "apple-fetch": "Apps on Apple's systems that load the address in the background: `CFNetwork`, `Alamofire`",
  "android-fetch":
    "Apps on Android that do so: `Dalvik`, `okhttp`, `Cronet`, `ExoPlayer`, the download manager, Gmail",
  "dart-fetch": "Apps made with Flutter that do so: `Dart`",
  "server-runtime":
    "Programs on servers: `node`, `undici`, `Deno`, `Bun`, `ReactorNetty`, `jsdom`, `SlimerJS`",
  "office-preview": "Microsoft Office and Outlook, which look at a link before anyone opens it",
  isbot: "What [isbot](https://github.com/omrilotan/isbot) takes for a bot, but for the exceptions below",
  prefetch: "Browsers that say that they load the address ahead of time, or for a preview",
  "mail-scanner":
    "Computers' browsers without a referrer in [networks of mail](#networks-of-mail): programs that check links look like that",
} as const;

export type BotRule = keyof typeof botRules;

/** Programs that isbot takes for people, or that are worth telling apart. Browsers' agents begin with Mozilla. */
const signs: readonly (readonly [rule: BotRule, sign: RegExp])[] = [
  ["apple-fetch", /^(?!Mozilla\/).*(?:\bCFNetwork\/\d|\bAlamofire\/\d|; Scale\/\d)/],
  [
    "android-fetch",
    /^(?!Mozilla\/).*\b(?:(?:Dalvik|Cronet|ExoPlayerLib)\/\d|okhttp|AndroidDownloadManager\b|Android-Gmail\/)/i,
  ],
  ["dart-fetch", /^Dart\/\d/],
  ["server-runtime", /^(?:node|undici|deno|bun)\b|^ReactorNetty\/|\bjsdom\/\d|\bSlimerJS\/\d/i],
  ["office-preview", /\bms-office\b|\bMicrosoft (?:Office|Outlook)\b/i],
];

/** Stands for the rule of a scan that was recorded by 1.1.0 or earlier, which store none. */
export const unknownRule = "unknown";

/** Words of apps and phones that isbot mistakes for a bot's. They are removed from browsers' agents. */
export const peoplesWords: readonly (readonly [whose: string, words: RegExp])[] = [
  // A model named Discovery, Radar Deluxe, Newsday or C Bot. Google's programs name themselves after the model.
  ["phones by their model", /\(Linux; (?:U; )?Android [\w.]+; (?:[a-z]{2}[-_][a-z]{2,4}; )?[^;()]*/gi],
  ["WeChat", /\bProcess\/tools\w*/g],
  ["QR code scanners and readers", /\b(?:QR|Bar)[ _-]?(?:code)?[ _-]?(?:scan\w*|reader)(?:\/[\d.]+)?/gi],
  ["Sogou's browser and search app", /\bSogou(?:MSE|MobileBrowser|Search)\b/g],
  [
    "Google Lens, Assistant and Maps",
    /\bGoogleLens\/|\bcom\.google\.(?:OPA|Maps)\b|\bGmmClient:google_ios\b/g,
  ],
  ["news apps", /\bSohuNews\b|\b\w*[Nn]ews(?:SDK|-Now)?\/\d/g],
  ["Alipay, Taobao and Lazada", /\bTTID\/\S+|\bAlipayDefined\([^()]*\)/g],
  ["Facebook and Instagram", /\[FB(?:AN|_IAB)\/[^[\]]*\]|\bInstagram [\d.]+ Android \([^()]*\)/g],
  ["imo", /\bimoAndroid\/.*/g],
  ["Blue Proxy and ProxyFox", /\b(?:Blue Proxy|ProxyFox)\/\d/g],
];

/** Tools that people use to try a code by hand. isbot counts them as bots, but their scans are deliberate. */
const commandLineTool = /^(?:curl|wget|httpie|postmanruntime|insomnia)\b/i;

/** Matches the agents that these words are removed from. */
const browser = /^(?:Mozilla\/|\[FB)/;

/** Returns the rule by which a user agent is a bot's; null for a person's. */
export function agentRuleOf(userAgent: string): BotRule | null {
  const own = signs.find(([, sign]) => sign.test(userAgent));
  if (own !== undefined) return own[0];
  if (!isbot(userAgent) || commandLineTool.test(userAgent)) return null;
  if (!browser.test(userAgent)) return "isbot";
  const left = peoplesWords.reduce((text, [, words]) => text.replace(words, " "), userAgent).trim();
  return left !== "" && isbot(left) ? "isbot" : null;
}
