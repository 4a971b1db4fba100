import { messageActionFailure } from "../../../../../src/contract/failures/messageActions.ts"
import { type Fields, fieldsOf, recordsOf } from "../../../../../src/contract/looseFields.ts"
import {
  isLeftOut,
  messageIdOf,
  withoutEnvelopes
} from "../../../../../src/services/conversations/history/chatHistory.ts"
import type { ActionResult } from "../../common/Observable.ts"
import { ownFailureText } from "../../link/failureText.ts"
import { failureSentence } from "../../link/GatewayCallError.ts"
import type { GatewayLink } from "../../link/linkTypes.ts"

/** The maximum characters a gateway sends of one message. */
const MAX_CHARS = 2_000_000
/** How many of a read's newest messages are fetched without being requested. */
const AUTOMATIC = 6
/** How many messages are remembered, the most recently used. */
const MAX_KNOWN = 20
/** How far back older gateways are asked for a message, further each time: they send everything after it, too. */
const REACHES = [20, 100, 1_000]

const NOT_THERE = ownFailureText(messageActionFailure("MESSAGE_NOT_STORED"))
const TOO_LONG = ownFailureText(messageActionFailure("MESSAGE_TOO_LONG"))

/** The message behind an item, by the item's place in the history. */
const messageOf = (source: string): string => source.replace(/\.\w+~*$|~+$/, "")

export interface WholeMessages {
  /** A history response, with the newest missing messages filled in. */
  complete(answer: unknown): Promise<unknown>
  /** All of the message behind a history item, in the form of a history response. */
  read(source: string | null): Promise<ActionResult<object>>
}

/** Messages that the gateway's history cuts or leaves out for their length, read one by one. */
export function createWholeMessages(link: GatewayLink, sessionKey: string): WholeMessages {
  /** By message id, the most recently used at the end. */
  const known = new Map<string, Fields>()
  /** Messages that couldn't be read. */
  const refused = new Set<string>()

  const canAsk = (): boolean => link.hello.get()?.methods.has("chat.message.get") === true

  function keep(id: string, message: Fields): Fields {
    known.delete(id)
    known.set(id, message)
    const oldest = known.keys().next().value
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    return message
  }

  async function ask(id: string): Promise<Fields | null> {
    const params = { sessionKey, messageId: id, maxChars: MAX_CHARS }
    const answer = fieldsOf(await link.request("chat.message.get", params))
    if (answer.ok === true) return keep(id, fieldsOf(answer.message))
    refused.add(id)
    if (answer.unavailableReason === "oversized") throw new TooLong()
    return null
  }

  /** Older gateways send messages as they are stored, the end of a session at a time. */
  async function find(id: string): Promise<Fields | null> {
    for (const limit of REACHES) {
      const answer = withoutEnvelopes(await link.request("sessions.get", { key: sessionKey, limit }))
      const messages = recordsOf(fieldsOf(answer).messages)
      const found = messages.find((message) => messageIdOf(message) === id || placeOf(message) === id)
      if (found !== undefined) return messageIdOf(found) === id ? keep(id, found) : found
      if (messages.length < limit) return null
    }
    return null
  }

  return {
    complete: async (answer) => {
      const page = fieldsOf(answer)
      const messages = recordsOf(page.messages)
      if (canAsk()) {
        const wanted = messages.flatMap((message) => {
          const id = messageIdOf(message)
          const isSpoken = message.role === "user" || message.role === "assistant"
          return id !== null && isSpoken && isLeftOut(message) && !known.has(id) && !refused.has(id) ? [id] : []
        })
        await Promise.all(wanted.slice(-AUTOMATIC).map((id) => ask(id).catch(() => null)))
      }
      const isKnown = (message: Fields) => known.has(messageIdOf(message) ?? "")
      if (!messages.some(isKnown)) return answer
      return { ...page, messages: messages.map((message) => known.get(messageIdOf(message) ?? "") ?? message) }
    },
    read: async (source) => {
      if (source === null) return { ok: false, message: NOT_THERE }
      try {
        const id = messageOf(source)
        const message = canAsk() ? await ask(id) : await find(id)
        if (message === null) return { ok: false, message: NOT_THERE }
        return { ok: true, value: { sessionKey, messages: [message] } }
      } catch (reason) {
        return { ok: false, message: reason instanceof TooLong ? TOO_LONG : failureSentence(reason) }
      }
    }
  }
}

class TooLong extends Error {}

/** The history's name for a message without an id. */
const placeOf = (message: Fields): string => `${String(message.role)}-${String(message.timestamp)}`
