import type { OutgoingImage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { createObservable } from "../common/Observable.ts"
import type { PlacedFile } from "./messageFiles.ts"

/** A file on its way into an agent's workspace. */
export interface Upload {
  readonly id: number
  readonly sessionKey: string
  readonly name: string
  readonly size: string
  /** How much of it is there, from 0 to 1. */
  readonly progress: number
  /** Why it isn't there; null while it's on its way. */
  readonly error: string | null
  /** Once it's there. */
  readonly done: PlacedFile | null
}

/** The files on their way, of all sessions: they go on when another one is opened. */
export const uploads = createObservable<ReadonlyArray<Upload>>([])

const drafts = new Map<string, ReadonlyArray<OutgoingImage>>()

/** Pictures of unsent messages by session, kept for the life of the page. */
export const draftImages = {
  get: (sessionKey: string): ReadonlyArray<OutgoingImage> => drafts.get(sessionKey) ?? [],
  set: (sessionKey: string, images: ReadonlyArray<OutgoingImage>): void => {
    if (images.length === 0) drafts.delete(sessionKey)
    else drafts.set(sessionKey, images)
  }
}
