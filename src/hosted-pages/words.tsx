/** Languages whose words have no spaces between them. */
const unspaced = new Set(["ja", "zh", "th", "lo", "km", "my"]);

/** A text that wraps between its words, not inside them, where its language has no spaces to wrap at. @param language as BCP 47 */
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
 * Whether a line may begin with a word: not with what closes one, nor after what opens one. In Japanese, a line begins with
 * a phrase: parts of a compound stay together, and particles stay with what they follow.
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
