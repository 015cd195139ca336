/**
 * The networks of programs that open the links in mail before it is delivered or when they are tapped, by their number
 * (autonomous system). Only networks of mail itself, and Microsoft's, from which Safe Links opens links with the agents
 * of ordinary browsers, as reported in https://github.com/gophish/gophish/issues/973. The registries ARIN and RIPE name
 * the others' holders. Networks of companies' proxies aren't among them, because people reach the web through these.
 */
export const mailNetworks: ReadonlyMap<number, string> = new Map([
  [8075, "Microsoft"],
  [15324, "Barracuda"],
  [22843, "Proofpoint"],
  [26211, "Proofpoint"],
  [52129, "Proofpoint"],
  [30031, "Mimecast"],
  [42427, "Mimecast"],
]);
