type RecordType = "A" | "AAAA" | "CNAME" | "TXT" | "CAA";

const numbers: Readonly<Record<RecordType, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28, CAA: 257 };

interface Answered {
  readonly name: string;
  readonly type: number;
  readonly TTL: number;
  readonly data: string;
}

/** Records of DNS that tests change, answered as Cloudflare's resolver does over HTTPS in JSON. */
export class DnsZone {
  readonly #records = new Map<string, ReadonlyMap<RecordType, readonly string[]>>();
  readonly #hidden = new Map<string, string>();
  readonly #broken = new Set<string>();

  /** Sets the records of a name and type; removes them without values. A CAA value is `tag value`. */
  set(type: RecordType, name: string, ...values: string[]): void {
    const others = [...(this.#records.get(name) ?? [])].filter(([other]) => other !== type);
    this.#records.set(name, new Map(values.length === 0 ? others : [...others, [type, values]]));
    if (this.#records.get(name)?.size === 0) this.#records.delete(name);
  }

  /** Has a zone at Cloudflare proxy a host: its addresses are public, where its CNAME leads only Cloudflare knows. */
  proxy(name: string, cname: string): void {
    this.#hidden.set(name, cname);
    this.set("A", name, "172.67.10.20");
  }

  /** Has the name servers of a name fail, or answer again. */
  break(name: string, isBroken = true): void {
    if (isBroken) this.#broken.add(name);
    else this.#broken.delete(name);
  }

  /** Returns the values of a name and type, without following a CNAME. */
  values(type: RecordType, name: string): readonly string[] {
    return this.#records.get(name)?.get(type) ?? [];
  }

  /** Returns whether a host's CNAME records lead to another, as Cloudflare itself sees them. */
  leads(host: string, target: string): boolean {
    for (let name: string | undefined = host, hops = 0; name !== undefined && hops < 8; hops += 1) {
      if (name === target) return true;
      name = this.#hidden.get(name) ?? this.values("CNAME", name)[0];
    }
    return false;
  }

  answer(request: Request): Response {
    const { searchParams } = new URL(request.url);
    const name = searchParams.get("name")?.toLowerCase() ?? "";
    const type = (searchParams.get("type") ?? "A") as RecordType;
    if (request.headers.get("accept") !== "application/dns-json" || numbers[type] === undefined) {
      return Response.json({ error: "Invalid query" }, { status: 400 });
    }
    const flags = { TC: false, RD: true, RA: true, AD: false, CD: false };
    const question = { Question: [{ name, type: numbers[type] }] };
    if (this.#broken.has(name)) return Response.json({ Status: 2, ...flags, ...question });
    const { answer, last } = this.#resolve(name, type);
    const isKnown = [...this.#records.keys()].some((known) => known === last || known.endsWith(`.${last}`));
    return Response.json({
      Status: isKnown ? 0 : 3,
      ...flags,
      ...question,
      ...(answer.length === 0 ? {} : { Answer: answer }),
    });
  }

  /** Returns the records of a name and of the names to which its CNAME records lead, and the last of these names. */
  #resolve(name: string, type: RecordType): { answer: Answered[]; last: string } {
    const own = this.values(type, name).map((value) => ({
      name,
      type: numbers[type],
      TTL: 300,
      data: presented(type, value),
    }));
    const [cname] = this.values("CNAME", name);
    if (own.length > 0 || cname === undefined) return { answer: own, last: name };
    const { answer, last } = this.#resolve(cname, type);
    const alias = { name, type: numbers.CNAME, TTL: 300, data: `${cname}.` };
    return { answer: [alias, ...answer], last };
  }
}

/** Returns a value as the resolver writes it. */
function presented(type: RecordType, value: string): string {
  if (type === "TXT") {
    const chunks = value.match(/.{1,255}/gs) ?? [""];
    return chunks.map((chunk) => `"${chunk.replaceAll(/["\\]/g, "\\$&")}"`).join(" ");
  }
  if (type !== "CAA") return value;
  // Cloudflare's resolver answers types without a text form of its own in that of RFC 3597.
  const [tag = "", ...rest] = value.split(" ");
  const bytes = [0, tag.length, ...new TextEncoder().encode(tag + rest.join(" "))];
  return `\\# ${bytes.length} ${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}
