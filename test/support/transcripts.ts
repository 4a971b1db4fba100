import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { DateTime } from "effect"
import recorded from "./recorded/transcriptLines.json" with { type: "json" }

/** The variable parts of a model's response. */
export interface AnswerOptions {
  /** Epoch milliseconds at which it was written. */
  readonly at?: number
  readonly provider?: string
  readonly model?: string
  readonly input?: number
  readonly output?: number
  /** US dollars; `null` leaves the cost out. */
  readonly cost?: number | null
  readonly stopReason?: string
  readonly text?: string
  /** The message's id. */
  readonly id?: string
}

const isoTime = (ms: number) => DateTime.formatIso(DateTime.makeUnsafe(ms))

const START = Date.parse("2026-11-20T10:00:00.000Z")

/** One answer as a transcript line in the gateway's order of fields, without its line break. */
export const answerLine = (options: AnswerOptions = {}): string => {
  const { at = START, provider = "mock", model = "mock-fast", input = 100, output = 10, cost = 0.001 } = options
  return JSON.stringify({
    type: "message",
    id: options.id ?? "01e6350b",
    parentId: "fef6411c",
    timestamp: isoTime(at),
    message: {
      role: "assistant",
      content: [{ type: "text", text: options.text ?? "hello" }],
      api: "openai-completions",
      provider,
      model,
      usage: {
        input,
        output,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: input + output,
        ...(cost === null ? {} : { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost } })
      },
      stopReason: options.stopReason ?? "stop",
      timestamp: at
    }
  })
}

/** A line of the user's, which carries no usage. */
export const userLine = (text: string): string =>
  JSON.stringify({
    type: "message",
    id: "fef6411c",
    parentId: null,
    timestamp: isoTime(START),
    message: { role: "user", content: [{ type: "text", text }], timestamp: START }
  })

/** Lines with their breaks. */
export const lines = (...all: ReadonlyArray<string>): string => all.map((line) => `${line}\n`).join("")

/** The lines of a real session. */
export const recordedLines: ReadonlyArray<string> = recorded.map((line) => JSON.stringify(line))

/** The totals of the recorded lines; dollars are exact to the billionth. */
export const RECORDED_SUMS = { messages: 11, errors: 1, input: 69_918, output: 375, cost: 0.086458 } as const

/** Makes an agent's folder of transcripts under a gateway's home. */
export const sessionsFolder = (gatewayHome: string, agent = "main"): string => {
  const folder = `${gatewayHome}/agents/${agent}/sessions`
  mkdirSync(folder, { recursive: true })
  return folder
}

export const write = (folder: string, name: string, text: string | Uint8Array): void =>
  writeFileSync(`${folder}/${name}`, text)

export const append = (folder: string, name: string, text: string): void => appendFileSync(`${folder}/${name}`, text)
