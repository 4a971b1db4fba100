import type { ConversationState } from "../src/contract/schema/conversation.ts"
import { makePublisher } from "../src/services/conversations/publisher.ts"
import { makeShownState } from "../src/services/conversations/shownState.ts"
import { type Conversation, newConversation } from "../src/services/conversations/turn/Conversation.ts"
import { step } from "../src/services/conversations/turn/step.ts"

const KEY = "agent:main:main"
const RUN = "0f8fad5b-d9cb-469f-a165-70867728950e"
/** Pieces of an answer in a second, and characters of one. */
const PIECES = 60
const SIZES: ReadonlyArray<readonly [bytes: number, piece: number]> = [
  [2_048, 5],
  [20_480, 20],
  [65_536, 40],
  [1_048_576, 200]
]
/** How often each generation repeats the text so far, in pieces: in agent events, and in chat events. */
const GENERATIONS = { older: [1, 9], newer: [5, 5] } as const

const WORDS = "The answer goes on with words, “quotes” and `code`, line after line.\n"

const envelope = (event: string, payload: object, seq: number): string =>
  JSON.stringify({ type: "event", event, payload, seq })

/** Bytes of one answer: as a gateway sends it to each of its clients, and as patches. */
const measured = (size: number, piece: number, [agentEvery, chatEvery]: readonly [number, number]) => {
  const text = WORDS.repeat(Math.ceil(size / WORDS.length)).slice(0, size)
  const shown = makeShownState("primary")
  let now = 0
  let state: Conversation = { ...newConversation(KEY), status: "ready" }
  let due: { readonly at: number; readonly run: () => void } | undefined
  let relayed = 0
  let patched = 0
  let patches = 0
  let spentMs = 0
  const current = (): ConversationState =>
    shown(state, { connection: undefined, unreached: undefined, versions: { tips: [], versions: [] } })
  const publisher = makePublisher({
    shown: current,
    now: () => now,
    newEpoch: () => "e",
    after: (ms, run) => {
      due = { at: now + ms, run }
    }
  })
  publisher.view(({ patch = "" }) => {
    patched += Buffer.byteLength(`{"t":"patch","c":1,${patch}`)
    patches += 1
  })
  const hear = (event: string, payload: Readonly<Record<string, unknown>>, seq: number) => {
    relayed += Buffer.byteLength(envelope(event, payload, seq))
    const began = performance.now()
    state = step({ ...state, now }, { type: "frame", event, payload }).state
    publisher.note()
    spentMs += performance.now() - began
  }
  const message = (content: string) => ({
    role: "assistant",
    content: [{ type: "text", text: content }],
    timestamp: now
  })
  const count = Math.ceil(text.length / piece)
  for (let at = 1; at <= count; at++) {
    now += 1000 / PIECES
    if (due !== undefined && due.at <= now) {
      const { run } = due
      due = undefined
      run()
    }
    const said = text.slice(0, at * piece)
    const base = { runId: RUN, sessionKey: KEY, seq: at }
    if (at % agentEvery === 0 || at === count) {
      const data = { text: said, delta: said.slice((at - agentEvery) * piece) }
      hear("agent", { ...base, stream: "assistant", ts: now, data }, at)
    }
    if (at % chatEvery === 0) hear("chat", { ...base, state: "delta", message: message(said) }, at)
  }
  hear("chat", { runId: RUN, sessionKey: KEY, state: "final", message: message(text) }, count + 1)
  publisher.flush()
  return { relayed, patched, patches, microseconds: (spentMs * 1000) / count }
}

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`

/** Bytes that one answer costs a tab: through the relay, which repeats what the gateway sends, and as patches. */
export const run = async (): Promise<void> => {
  for (const [generation, cadence] of Object.entries(GENERATIONS)) {
    for (const [size, piece] of SIZES) {
      const { microseconds, patched, patches, relayed } = measured(size, piece, cadence)
      console.log(
        `${generation} gateway, answer of ${kilobytes(size)}: ${kilobytes(patched)} in ${patches} patches ` +
          `(${(patched / size).toFixed(1)} times the text), relayed ${kilobytes(relayed)}; ` +
          `${microseconds.toFixed(0)} µs of the server a piece`
      )
    }
  }
}
