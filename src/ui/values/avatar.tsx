/** Returns a name's initials, at most two. */
const initials = (name: string): string => {
  const words = name.split(/[\s@._-]+/).filter((word) => word !== "");
  const chosen = words.length < 2 ? words : [words[0], words.at(-1)];
  return chosen.map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "").join("");
};

/** A person, as initials. Decorative, since the name is beside it. */
export const Avatar = ({ name }: { name: string }) => (
  <span class="avatar" dir="auto" aria-hidden="true">
    {initials(name)}
  </span>
);
