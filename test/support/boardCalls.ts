import { setTimeout as delay } from "node:timers/promises"
import { inspect } from "node:util"
import { Effect } from "effect"

const ask = (url: string, init: RequestInit) => Effect.runPromise(Effect.tryPromise(() => fetch(url, init)))

/** The status of a request without a response. */
export const NEVER_ARRIVED = -1

let calls = 0
/** One request; no status when the connection broke. */
export const call = async (method: string, url: string, body?: object) => {
  calls += 1
  // A different client behind the trusted proxy each time, because the rate limit isn't tested here.
  const headers = { "x-forwarded-for": `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}` }
  try {
    const init = { method, headers, signal: AbortSignal.timeout(30_000) }
    const answer = await ask(url, body === undefined ? init : { ...init, body: JSON.stringify(body) })
    const json: unknown = await answer.json()
    return { status: answer.status, json }
  } catch (error) {
    // Nothing listened, so it never arrived.
    const isRefused = inspect(error).includes("ECONNREFUSED")
    if (isRefused) await delay(20)
    return { status: isRefused ? NEVER_ARRIVED : 0, json: undefined }
  }
}

/** Receives every event of a console's stream, and reopens a broken stream until the signal. */
export const followEvents = async (
  url: () => string,
  signal: AbortSignal,
  hear: (text: string) => void
): Promise<void> => {
  const read = async () => {
    const answer = await ask(`${url()}/api/events`, { signal })
    let text = ""
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split("\n\n")
      text = parts.pop() ?? ""
      for (const part of parts) hear(/^data: (.*)$/m.exec(part)?.[1] ?? "")
    }
  }
  while (!signal.aborted) {
    await read().catch(() => undefined)
    await delay(50)
  }
}
