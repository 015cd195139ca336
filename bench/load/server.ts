import type { ServerName, ServerOptions } from "../servers.ts";
import { Child } from "./child.ts";

export interface Placement {
  /** Whether server and load generator run on one core each, if the machine has two. */
  readonly pinned: boolean;
}

interface Ready {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly inspector?: string;
}

/** A running server in its own process. `await using` ends it. */
export class Server implements AsyncDisposable {
  readonly name: ServerName;
  /** Without a trailing slash. */
  readonly origin: string;
  /** Paths to request, with their leading slash. */
  readonly paths: readonly string[];
  /** The URL of its debugger, if it was requested. */
  readonly inspector: string | undefined;
  readonly #child: Child;

  private constructor(name: ServerName, child: Child, { origin, paths, inspector }: Ready) {
    this.name = name;
    this.origin = origin;
    this.paths = paths;
    this.inspector = inspector;
    this.#child = child;
  }

  static async start(name: ServerName, options: ServerOptions, placement: Placement): Promise<Server> {
    const child = new Child(
      "serve.ts",
      [name, JSON.stringify(options)],
      placement.pinned ? "server" : undefined,
    );
    try {
      return new Server(name, child, await child.receive<Ready>());
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}

/** Servers that start and end together. */
export class ServerGroup<Name extends string> implements AsyncDisposable {
  readonly #byName: ReadonlyMap<Name, Server>;

  private constructor(byName: ReadonlyMap<Name, Server>) {
    this.#byName = byName;
  }

  /** @throws for a name that was not started */
  get(name: Name): Server {
    const server = this.#byName.get(name);
    if (server === undefined) throw new Error(`unknown server ${name}`);
    return server;
  }

  /** @throws if one of them can't start, after ending the others */
  static async start<Name extends string>(
    starts: readonly (readonly [Name, () => Promise<Server>])[],
  ): Promise<ServerGroup<Name>> {
    const started = await Promise.allSettled(starts.map(([, start]) => start()));
    const group = new ServerGroup(
      new Map(
        started.flatMap((result, i) => {
          const name = starts[i]?.[0];
          return result.status === "fulfilled" && name !== undefined ? [[name, result.value] as const] : [];
        }),
      ),
    );
    const failed = started.find((result) => result.status === "rejected");
    if (failed !== undefined) {
      await group[Symbol.asyncDispose]();
      throw failed.reason;
    }
    return group;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#byName.values()].map((server) => server[Symbol.asyncDispose]()));
  }
}
