import type { PatchOp } from "../../contract/schema/live.ts"

/** The pause between two states while a text grows, in milliseconds, by the text's length. */
export const pauseFor = (length: number): number => {
  if (length < 1024) return 16
  if (length < 65_536) return 50
  return length < 524_288 ? 100 : 500
}

/** What an answer may cost a client: so many times its text, and so many bytes besides. */
const TIMES = 9
const BESIDES = 12_000

/** Whether a patch only adds to texts, so that it can wait and be sent with more of them. */
export const isGrowth = (ops: ReadonlyArray<PatchOp>): boolean => ops.length > 0 && ops.every(({ op }) => op === "add")

/** What a growing text costs its readers: a slow agent's words are sent several at a time. */
export interface PatchBudget {
  /** Whether a patch of that many bytes, which adds `text` bytes of text, may be sent now. */
  readonly allows: (patch: number, text: number) => boolean
  readonly spend: (patch: number, text: number) => void
  /** Another turn begins. */
  readonly reset: () => void
}

export const makePatchBudget = (): PatchBudget => {
  let spent = 0
  let texts = 0
  return {
    allows: (patch, text) => spent + patch <= (texts + text) * TIMES + BESIDES,
    spend: (patch, text) => {
      spent += patch
      texts += text
    },
    reset: () => {
      spent = 0
      texts = 0
    }
  }
}

/** Bytes of the text that a patch adds. */
export const addedBytes = (ops: ReadonlyArray<PatchOp>): number =>
  ops.reduce((sum, op) => (op.op === "add" ? sum + Buffer.byteLength(op.text) : sum), 0)
