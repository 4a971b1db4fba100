import { listOf, parseJson, textOf } from "../common/decode.ts"
import type { KeyValueStorage } from "../link/Environment.ts"

const KEY = "agent-console:voice-agreed"

/** Which online services a person has agreed to have texts or recordings sent to, in this browser. */
export interface VoiceAgreement {
  readonly has: (service: string) => boolean
  readonly add: (service: string) => void
}

/** Reads and stores it; where the browser stores nothing, it lasts as long as the page. */
export function createVoiceAgreement(storage: KeyValueStorage): VoiceAgreement {
  const agreed = new Set(listOf(parseJson(storage.getItem(KEY) ?? "")).flatMap((name) => textOf(name) ?? []))
  return {
    has: (service) => agreed.has(service),
    add: (service) => {
      agreed.add(service)
      try {
        storage.setItem(KEY, JSON.stringify([...agreed]))
      } catch {
        // Asked again with the next page.
      }
    }
  }
}
