/** Languages written without spaces between words. */
const unspaced = new Set(["ja", "zh", "th", "lo", "km", "my"]);

/** Text that wraps between words, also in languages without spaces. @param language as BCP 47 */
export function Words({ text, language }: { text: string; language: string }) {
  const [primary = ""] = language.toLowerCase().split("-");
  if (!unspaced.has(primary)) return <>{text}</>;
  const words = [...new Intl.Segmenter(primary, { granularity: "word" }).segment(text)];
  return (
    <span class="words">
      {words.flatMap((word, at) =>
        mayBegin(primary, word, words[at - 1]) ? [<wbr />, word.segment] : [word.segment],
      )}
    </span>
  );
}

/**
 * Returns whether a line may begin with a word: not with a closing bracket or the like, nor after an opening one. In
 * Japanese, lines begin with a phrase: parts of a compound stay together, and particles stay with the preceding word.
 */
function mayBegin(language: string, word: Intl.SegmentData, before: Intl.SegmentData | undefined): boolean {
  if (before === undefined || word.isWordLike !== true) return false;
  if (/[\p{Ps}\p{Pi}]$/u.test(before.segment)) return false;
  if (language !== "ja") return true;
  return (
    !/^\p{Script=Hiragana}/u.test(word.segment) &&
    (before.isWordLike !== true || /\p{Script=Hiragana}$/u.test(before.segment))
  );
}
