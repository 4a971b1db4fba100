import { type Component, createContextId, type Signal } from "@builder.io/qwik"
import { createObservable } from "../core/common/Observable.ts"
import type { VersionsStore } from "../core/conversation/versions/VersionsStore.ts"

/** A message on screen that was asked in several versions, and the part that switches between them. */
export interface ShownVersions {
  readonly Switch: Component<{ readonly shown: ShownVersions }>
  readonly store: VersionsStore
  /** Where each version ends, in the order in which they were asked; null for the one on screen. */
  readonly leaves: ReadonlyArray<string | null>
}

/** By the key of their message. */
type VersionsByKey = ReadonlyMap<string, ShownVersions>

/** The messages that have versions; their chunk fills it. */
export const shownVersions = createObservable<VersionsByKey>(new Map())

/** The same for all messages of a log, as `DeliveryContext`. */
export const VersionsContext = createContextId<Signal<VersionsByKey>>("agent-console.versions")
