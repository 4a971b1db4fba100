import type { StoreFault } from "../sqlite/storeFault.ts"

/** The operations of a thread by name; run one at a time, in order. */
export type Operations<Store> = { readonly [Name in keyof Store]: (...args: never) => unknown }

/** Any request to a thread, with its arguments. */
export type ThreadAsk<Store extends Operations<Store>> = {
  readonly [Name in keyof Store]: readonly [Name, ...Parameters<Store[Name]>]
}[keyof Store]

/** Asks a thread to end after what it's doing. */
export type EndThread = null

/** A thread's response to a request. */
export type ThreadOutcome<A> =
  | { readonly value: A }
  | { readonly fault: Omit<StoreFault, "cause"> & { readonly cause: string } }
