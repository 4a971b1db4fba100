import { diffHeads, diffItems } from "../../contract/diffItems.ts"
import type { ConversationItem, ConversationState } from "../../contract/schema/conversation.ts"
import type { PatchOp } from "../../contract/schema/live.ts"
import { addedBytes, isGrowth, makePatchBudget, pauseFor } from "./pacing.ts"

/** A state of a conversation with its number. */
export interface Numbered {
  readonly e: string
  readonly s: number
  readonly state: ConversationState
}

/** What changes one state into another one. */
export interface StatePatch {
  readonly ops?: ReadonlyArray<PatchOp>
  readonly head?: Readonly<Record<string, unknown>>
}

/** A published state and how it came from the one before. */
export interface Published extends Numbered {
  /** The fields of the patch in JSON, without the opening brace: made once for all who read it; absent if a client has to start anew. */
  readonly patch?: string
}

export type Viewer = (published: Published) => void

const keyOf = ({ key }: ConversationItem): string => key

/** The patch from one state to another one; `undefined` if nothing is different. */
export const patchBetween = (before: ConversationState, after: ConversationState): StatePatch | undefined => {
  const ops = diffItems(before.items, after.items, keyOf)
  const head = diffHeads(before.head, after.head)
  const hasHead = Object.keys(head).length > 0
  if (ops.length === 0 && !hasHead) return undefined
  return { ...(ops.length === 0 ? {} : { ops }), ...(hasHead ? { head } : {}) }
}

/**
 * Whether part of the history is gone, rather than that its beginning was left to older pages: what clients hold above
 * the window doesn't count any more.
 */
const isAnother = (before: ConversationState, after: ConversationState): boolean => {
  const kept = new Set(after.items.map(keyOf))
  const isGone = ({ key, messageId }: ConversationItem) => messageId !== undefined && !kept.has(key)
  if (!before.items.some(isGone)) return false
  const first = before.items.findIndex(({ key, messageId }) => messageId !== undefined && kept.has(key))
  const isTrim = first >= 0 && after.head.older !== undefined && after.head.older !== before.head.older
  return !isTrim || before.items.slice(first).some(isGone)
}

/** Characters of the text that grows. */
const growing = ({ items }: ConversationState): number =>
  items.reduce((most, item) => {
    if (item.kind === "tool") return item.status === "running" ? Math.max(most, item.output.length) : most
    return "streaming" in item && item.streaming ? Math.max(most, item.text.length) : most
  }, 0)

export interface PublisherOptions {
  /** The state as it is now. */
  readonly shown: () => ConversationState
  readonly newEpoch: () => string
  readonly now: () => number
  /** Runs something after so many milliseconds, instead of what was to run before. */
  readonly after: (ms: number, run: () => void) => void
}

/** Numbers a conversation's states and tells its viewers how they follow each other, at the pace they can be read at. */
export const makePublisher = ({ after, newEpoch, now, shown }: PublisherOptions) => {
  const viewers = new Set<Viewer>()
  const budget = makePatchBudget()
  let current: Numbered = { e: newEpoch(), s: 1, state: shown() }
  let publishedAt = Number.NEGATIVE_INFINITY
  let isDue = false
  let hasMoved = false

  const tell = (published: Published) => {
    for (const viewer of viewers) viewer(published)
  }

  /** Publishes the state as it is now; a patch that only adds text may be kept back. */
  const publish = (mayWait: boolean): void => {
    const state = shown()
    const between = patchBetween(current.state, state)
    if (between === undefined) {
      hasMoved = false
      return
    }
    if (viewers.size > 0 && !isAnother(current.state, state)) {
      const s = current.s + 1
      const patch = JSON.stringify({ s, ...between }).slice(1)
      const { ops = [] } = between
      const [bytes, text] = [Buffer.byteLength(patch) + 24, addedBytes(ops)]
      if (mayWait && between.head === undefined && isGrowth(ops) && !budget.allows(bytes, text)) {
        wait(4 * pauseFor(growing(state)))
        return
      }
      if (state.head.running && !current.state.head.running) budget.reset()
      budget.spend(bytes, text)
      current = { e: current.e, s, state }
      settle()
      tell({ ...current, patch })
      return
    }
    const isNew = isAnother(current.state, state)
    current = { e: isNew ? newEpoch() : current.e, s: current.s + 1, state }
    settle()
    tell(current)
  }

  const settle = () => {
    hasMoved = false
    publishedAt = now()
  }

  const wait = (ms: number) => {
    isDue = true
    after(ms, () => {
      isDue = false
      if (hasMoved) publish(true)
    })
  }

  return {
    /** The state has changed. */
    note: (): void => {
      hasMoved = true
      if (viewers.size === 0 || isDue) return
      const left = publishedAt + pauseFor(growing(current.state)) - now()
      if (left <= 0) publish(true)
      else wait(left)
    },
    /** Tells at once what hasn't been told. */
    flush: (): void => {
      if (hasMoved) publish(false)
    },
    /** The newest state; a viewer that is added afterwards hears of all later ones. */
    current: (): Numbered => {
      if (hasMoved) publish(false)
      return current
    },
    view: (viewer: Viewer): (() => void) => {
      viewers.add(viewer)
      return () => viewers.delete(viewer)
    },
    get viewers(): number {
      return viewers.size
    }
  }
}

export type Publisher = ReturnType<typeof makePublisher>
