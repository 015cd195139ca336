import {
  type OwnedRoute,
  type RouteSuspension,
  type Versioned,
  type WorkspaceRoute,
  workspaceKey,
} from "../../protocol/routes.ts";
import type { EdgeDeps } from "../deps.ts";
import { type Failure, RecordReader } from "./record-reader.ts";
import type { RequestContext } from "./request-context.ts";
import { neverSuspended, type RouteKind, workspaceKind } from "./route-kinds.ts";

/** A record, with its own suspension or that of its workspace. */
export interface Resolved<T extends OwnedRoute> {
  readonly route: T;
  readonly suspended: RouteSuspension | undefined;
}

/** Returns the record with the suspension in force. A suspension on a legal order takes precedence. */
export function withSuspension<T extends OwnedRoute>(route: T, workspace: WorkspaceRoute): Resolved<T> {
  const { suspended } = workspace;
  return { route, suspended: suspended?.legalOrder === true ? suspended : (route.suspended ?? suspended) };
}

/** Reads a record and its workspace's record for one request. */
export class OwnedRecordReader<T extends OwnedRoute> {
  readonly #record: RecordReader<T>;
  readonly #readerOf: (workspaceId: string) => RecordReader<WorkspaceRoute>;
  /** Undefined until the record's workspace is known. */
  #workspace: RecordReader<WorkspaceRoute> | undefined;

  constructor(deps: EdgeDeps, kind: RouteKind<T>, key: string, context: RequestContext) {
    this.#record = new RecordReader(deps, kind, key, context);
    this.#readerOf = (id) => new RecordReader(deps, workspaceKind, workspaceKey(id), context);
  }

  /**
   * Reads both from the route cache, unless memory has them: in parallel if the isolate has read the record before,
   * since its workspace never changes; otherwise one after the other.
   */
  async prefetch(): Promise<void> {
    await Promise.all([this.#record.prefetch(), this.#ofWorkspace()?.prefetch()]);
    await this.#ofWorkspace()?.prefetch();
  }

  /** Reads both, at least as new as the view of the feed demands. @returns the reason if there is no record */
  async read(): Promise<Resolved<T> | Failure> {
    const route = await this.#record.read();
    if (typeof route === "string") return route;
    return withSuspension(route, this.#orLastKnown(await this.#ofWorkspace()?.read()));
  }

  /** Reads both for a scan that must be answered without a fresh view. @returns the reason if there is no record */
  readWithoutFeed(): Promise<Resolved<T> | Failure> {
    return this.#readBoth((reader) => reader.readWithoutFeed());
  }

  /** Reads both from the catalogue, if possible. @returns the reason if there is no record */
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

  /** Returns whether the view lists nothing newer than the last read. */
  isCurrent(): boolean {
    return this.#record.isCurrent() && this.#workspace?.isCurrent() !== false;
  }

  #ofWorkspace(): RecordReader<WorkspaceRoute> | undefined {
    const { known } = this.#record;
    if (known !== undefined) this.#workspace ??= this.#readerOf(known.workspaceId);
    return this.#workspace;
  }

  /**
   * A scan is answered even if neither the route cache nor the catalogue can say whether its workspace is suspended.
   */
  #orLastKnown(read: WorkspaceRoute | Failure | undefined): WorkspaceRoute {
    return typeof read === "object" ? read : (this.#workspace?.known ?? neverSuspended);
  }
}
