import { Context, type Effect, type Scope } from "effect"
import type { SqlValue, StoreError } from "../../platform/sqlite/Sqlite.ts"
import type { Mutation, Published } from "../boardEvents.ts"

/** Identifies this console among the others that share its board. */
export interface ConsoleName {
  /** The same after a restart. */
  readonly device: string
  /** This process: a lease on a run is its own. */
  readonly owner: string
  /** For people. */
  readonly name: string
  /** Its gateway's address; two consoles with the same one can carry on each other's runs. */
  readonly gateway: string
  /** How long its runs stay its own without a sign of life from it. */
  readonly leaseMs?: number
}

/** After this long without a sign of life from its console, a run is another one's. Only the database's clock counts. */
const LEASE_MS = 30_000

/** The length of this console's leases. */
export const leaseMs = (self: ConsoleName): number => self.leaseMs ?? LEASE_MS

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The gateway's address as every console would write it: one on this machine's loopback is this machine's. */
export const gatewayName = (gatewayUrl: string, machine: string): string => {
  const { hostname, port, protocol } = new URL(gatewayUrl)
  const host = LOOPBACK.test(hostname) ? machine : hostname
  return `${host}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`
}

type Statement<A> = (sql: string, ...params: ReadonlyArray<SqlValue>) => Effect.Effect<A, StoreError>

/** The board's tables inside one body; `?` stands for a parameter. Bodies wait for nothing but these statements. */
export interface BoardDb {
  /** Few statements can't be the same text for both. */
  readonly dialect: "sqlite" | "postgres"
  readonly all: Statement<ReadonlyArray<unknown>>
  /** The same with each row as a list of values in column order: half the cost of an object. */
  readonly rows: Statement<ReadonlyArray<unknown>>
  /** The first row. */
  readonly get: Statement<unknown>
  readonly run: Statement<void>
  /** Another number than before when a task may be different though its version is the same, as after an import. */
  readonly generation: Effect.Effect<number, StoreError>
}

export interface BoardStoreShape {
  /**
   * Runs the body in one durable transaction and publishes what it did: a failure or a defect changes nothing.
   * `now` is in epoch milliseconds. Writers wait for each other, and what they publish is in the order of their commits.
   */
  readonly mutate: <A, E>(
    body: (db: BoardDb, now: number) => Effect.Effect<Mutation<A>, E>
  ) => Effect.Effect<A, E | StoreError>
  /** Runs a read-only body. */
  readonly read: <A, E>(body: (db: BoardDb) => Effect.Effect<A, E>) => Effect.Effect<A, E | StoreError>
  /** Calls the listener with the events of each transaction until the scope closes. There is one listener. */
  readonly follow: (
    onPublished: (published: Published) => Effect.Effect<void>
  ) => Effect.Effect<void, never, Scope.Scope>
  /** Of a store that several consoles share: this one, and why the store can't be used for now, in a sentence. */
  readonly shared: { readonly self: ConsoleName; readonly problem: Effect.Effect<string | undefined> } | undefined
}

/** Where the board's tasks, proposals, runs and configuration are. */
export class BoardStore extends Context.Service<BoardStore, BoardStoreShape>()(
  "agent-console/services/board/store/BoardStore"
) {}
