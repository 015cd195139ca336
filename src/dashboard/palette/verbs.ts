import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { Permission } from "../../contract/roles.ts";
import type { IconName } from "../../ui/icon.tsx";

/** An action on a code that the palette knows, with the words that ask for it. */
export interface Verb {
  readonly words: readonly string[];
  /** Shown before the code's title, such as `Pause`. */
  readonly name: string;
  readonly icon: IconName;
  /** The part of its address that follows that of the code. */
  readonly path: string;
  readonly permission?: Permission;
  /** Set for a change, which is made at once and can be undone. */
  readonly isChange?: true;
  /** Set for a file. */
  readonly isFile?: true;
  /** The status that a code must have; undefined for any. */
  readonly status?: Qr["status"];
}

const write = { permission: "codes.write" } as const;
const file = { icon: "download", isFile: true } as const;

const pause: Verb = {
  ...{ words: ["pause", "stop"], name: "Pause", icon: "pause", path: "/pause" },
  ...{ isChange: true, status: "active", ...write },
};
const resume: Verb = {
  ...{ words: ["resume", "unpause", "start"], name: "Resume", icon: "play", path: "/resume" },
  ...{ isChange: true, status: "paused", ...write },
};

const verbs: readonly Verb[] = [
  pause,
  resume,
  { words: ["edit", "change"], name: "Edit", icon: "pencil", path: "/edit", ...write },
  { words: ["share"], name: "Share report of", icon: "share-2", path: "/share", ...write },
  { words: ["test"], name: "Test", icon: "scan-line", path: "/test" },
  { words: ["history", "log", "undo"], name: "History of", icon: "rotate-ccw-clock", path: "/history" },
  { words: ["scans"], name: "Scan log of", icon: "scan-line", path: "/scans" },
  { words: ["delete", "remove"], name: "Delete", icon: "trash", path: "/delete", ...write },
  { words: ["download", "svg"], name: "Download SVG of", path: "/image?format=svg&download", ...file },
  { words: ["download", "pdf"], name: "Download PDF of", path: "/image?format=pdf&download", ...file },
  {
    words: ["download", "png"],
    name: "Download PNG of",
    path: "/image?format=png&size=1024&download",
    ...file,
  },
];

/** Returns the verbs that fit a code: to resume one that is paused already; none to resume an active one. */
export function fitting(verb: Verb, { status }: Pick<Qr, "status">): readonly Verb[] {
  if (verb.status === undefined || verb.status === status) return [verb];
  return verb === pause ? [resume] : [];
}

/** The words of all verbs. */
const known = new Set(verbs.flatMap(({ words }) => words));

/**
 * Takes verbs out of a search: `tram, download PDF` asks for the PDF of what is found by `tram`.
 * @returns undefined if it names no verb, or nothing else
 */
export function readVerbs(
  text: string,
): { readonly verbs: readonly Verb[]; readonly rest: string } | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const isVerb = (word: string) => known.has(word.toLowerCase());
  const [named, rest] = [
    words.filter(isVerb).map((word) => word.toLowerCase()),
    words.filter((word) => !isVerb(word)),
  ];
  if (named.length === 0 || rest.length === 0) return undefined;
  const matching = verbs.filter((verb) => named.every((word) => verb.words.includes(word)));
  return matching.length === 0 ? undefined : { verbs: matching, rest: rest.join(" ") };
}
