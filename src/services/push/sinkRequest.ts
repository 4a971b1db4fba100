import { createHmac } from "node:crypto"
import { Redacted } from "effect"
import type { NotifySink } from "../platform/settings/settingAddresses.ts"
import type { OutgoingRequest } from "./PushTransport.ts"
import type { PushMessage } from "./pushMessage.ts"

/** `sha256=` and the HMAC of the body in hex. */
const signBody = (secret: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`

const JSON_TYPE = { "content-type": "application/json" }

const webhookRequest = (url: string, { payload }: PushMessage, secret: string | undefined, now: number) => {
  const event = payload.title === undefined ? "ended" : "opened"
  const body = Buffer.from(JSON.stringify({ event, sentAt: now, ...payload }))
  const signature = secret === undefined ? {} : { "x-agent-console-signature": signBody(secret, body) }
  return { url, headers: { ...JSON_TYPE, ...signature }, body, isTrusted: true }
}

const ntfyRequest = (origin: string, topic: string, { payload, urgency }: PushMessage, secret: string | undefined) => {
  const { title, body: message } = payload
  const body = Buffer.from(JSON.stringify({ topic, title, message, priority: urgency === "high" ? 4 : 3 }))
  const access = secret === undefined ? {} : { authorization: `Bearer ${secret}` }
  return { url: origin, headers: { ...JSON_TYPE, ...access }, body, isTrusted: true }
}

/**
 * Returns the request that notifies a sink of an item. `secret` signs a webhook's body and is the access token of ntfy.
 * `undefined` for the end of an item at ntfy, which can't withdraw messages.
 */
export const sinkRequest = (
  sink: NotifySink,
  message: PushMessage,
  { secret, now }: { readonly secret: Redacted.Redacted<string> | undefined; readonly now: number }
): OutgoingRequest | undefined => {
  const key = secret === undefined ? undefined : Redacted.value(secret)
  if (sink.type === "webhook") return webhookRequest(sink.url, message, key, now)
  return message.payload.title === undefined ? undefined : ntfyRequest(sink.origin, sink.topic, message, key)
}
