import { listOf, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import type { VoiceReach } from "../../../../src/contract/schema/voice.ts"
import type { ActionResult } from "../common/Observable.ts"
import { say } from "../language/say.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { Speaker } from "./Speaker.ts"
import type { VoicePreferences } from "./voicePreferences.ts"

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

/** Whether a text may be read aloud now: yes, no with a sentence, or only once a person agrees to the service. */
export type MayRead =
  | { readonly type: "yes" }
  | { readonly type: "no"; readonly message: string }
  | { readonly type: "ask"; readonly service: string; readonly message: string }

interface AskParts {
  readonly mayRead: () => Promise<MayRead>
  readonly onRefused: (message: string) => void
  /** Asks a person; `read` reads the text that was to be read. */
  readonly onAsk: (ask: Extract<MayRead, { readonly type: "ask" }>, read: () => void) => void
}

/** A speaker that reads nothing before it may. */
export const askingFirst = (speaker: Speaker, parts: AskParts): Speaker => {
  let latest = 0
  /** What is read once a person agrees: the text that was asked for last. */
  let asked = ""
  return {
    speaking: speaker.speaking,
    stop: () => {
      latest += 1
      speaker.stop()
    },
    say: async (text) => {
      speaker.stop()
      const mine = ++latest
      if (text === "") return
      const answer = await parts.mayRead()
      if (mine !== latest) return
      if (answer.type === "no") parts.onRefused(answer.message)
      else if (answer.type === "yes") await speaker.say(text)
      else {
        asked = text
        parts.onAsk(answer, () => void speaker.say(asked))
      }
    }
  }
}

/** Decides it before anything is sent: an online voice gets no text that nobody agreed to. */
export const mayRead = (
  reach: ActionResult<VoiceReach>,
  provider: VoicePreferences["provider"],
  agreement: VoiceAgreement
): MayRead => {
  if (!reach.ok) return { type: "no", message: reach.message }
  const { isOff, isOnline, name } = reach.value.speakers[provider ?? reach.value.automatic]
  if (isOff)
    return { type: "no", message: say("The demo reads nothing aloud, since an online voice would get the text.") }
  if (!isOnline || agreement.has(name)) return { type: "yes" }
  return {
    type: "ask",
    service: name,
    message: say("Reading aloud sends the text to {service}, which turns it into speech.", { service: name })
  }
}
