import {
  type OwnedRoute,
  type RouteSuspension,
  type Versioned,
  type WorkspaceRoute,
  workspaceKey,
} from "../../protocol/routes.ts";
import type { Deps } from "../deps.ts";
import { type Failure, RecordReader } from "./record-reader.ts";
import type { RequestContext } from "./request-context.ts";
import { neverSuspended, type RouteKind, workspaceKind } from "./route-kinds.ts";

/** A record, and the suspension of it or of its workspace. */
export interface Resolved<T extends OwnedRoute> {
  readonly route: T;
  readonly suspended: RouteSuspension | undefined;
}

/** The record with the suspension that is in force. One on a legal order goes before another. */
export function withSuspension<T extends OwnedRoute>(route: T, workspace: WorkspaceRoute): Resolved<T> {
  const { suspended } = workspace;
  return { route, suspended: suspended?.legalOrder === true ? suspended : (route.suspended ?? suspended) };
}

/** Reads one record and that of its workspace for one request. */
export class OwnedRecordReader<T extends OwnedRoute> {
  readonly #record: RecordReader<T>;
  readonly #readerOf: (workspaceId: string) => RecordReader<WorkspaceRoute>;
  /** Undefined until the record's workspace is known. */
  #workspace: RecordReader<WorkspaceRoute> | undefined;

  constructor(deps: Deps, kind: RouteKind<T>, key: string, context: RequestContext) {
    this.#record = new RecordReader(deps, kind, key, context);
    this.#readerOf = (id) => new RecordReader(deps, workspaceKind, workspaceKey(id), context);
  }

  /**
   * Reads the route cache for both, where memory has no record: side by side if the isolate has ever read the record,
   * whose workspace never changes, or else one after the other.
   */
  async prefetch(): Promise<void> {
    await Promise.all([this.#record.prefetch(), this.#ofWorkspace()?.prefetch()]);
    await this.#ofWorkspace()?.prefetch();
  }

  /** Both as new as the view of the feed demands. @returns why there is no record */
  async read(): Promise<Resolved<T> | Failure> {
    const route = await this.#record.read();
    if (typeof route === "string") return route;
    return withSuspension(route, this.#orLastKnown(await this.#ofWorkspace()?.read()));
  }

  /** Both for a scan that must be answered without a fresh view. @returns why there is no record */
  readWithoutFeed(): Promise<Resolved<T> | Failure> {
    return this.#readBoth((reader) => reader.readWithoutFeed());
  }

  /** Both from the catalogue, if it can be read. @returns why there is no record */
  readCatalogue(): Promise<Resolved<T> | Failure> {
    return this.#readBoth((reader) => reader.readCatalogue());
  }

  async #readBoth(
    read: <R extends Versioned>(reader: RecordReader<R>) => Promise<R | Failure>,
  ): Promise<Resolved<T> | Failure> {
    const earlyReader = this.#ofWorkspace();
    const [early, route] = await Promise.all([earlyReader && read(earlyReader), read(this.#record)]);
    if (typeof route === "string") return route;
    const reader = this.#workspace ?? this.#readerOf(route.workspaceId);
    this.#workspace = reader;
    return withSuspension(route, this.#orLastKnown(early ?? (await read(reader))));
  }

  /** Whether the view lists nothing newer than what was read last. */
  isCurrent(): boolean {
    return this.#record.isCurrent() && this.#workspace?.isCurrent() !== false;
  }

  #ofWorkspace(): RecordReader<WorkspaceRoute> | undefined {
    const { known } = this.#record;
    if (known !== undefined) this.#workspace ??= this.#readerOf(known.workspaceId);
    return this.#workspace;
  }

  /** A scan is answered also if neither the route cache nor the catalogue can say whether its workspace is suspended. */
  #orLastKnown(read: WorkspaceRoute | Failure | undefined): WorkspaceRoute {
    return typeof read === "object" ? read : (this.#workspace?.known ?? neverSuspended);
  }
}
