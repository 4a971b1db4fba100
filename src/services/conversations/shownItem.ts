import type { Failure, Why } from "../../contract/failure.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { ConversationItem, ConversationMedia } from "../../contract/schema/conversation.ts"
import { beginning, cutBytes } from "./cutBytes.ts"
import { shownAnswer } from "./history/liveMedia.ts"
import type { ChatMedia } from "./history/mediaLines.ts"
import type { ChatItem, ToolItem, UserItem } from "./turn/chatItems.ts"
import { messageOf } from "./turn/olderPages.ts"
import type { Entry } from "./turn/timeline.ts"

/** Characters of a text that are shown: of one from the history, and of one that is being written. */
const MAX_STORED = 200_000
const MAX_LIVE = 2_000_000

/** Where the console serves a gateway's files. */
const SERVED = /^\/api\/gateway\/media\/(?:outgoing|inbound)\//

type ItemOf<Kind extends ConversationItem["kind"]> = Extract<ConversationItem, { kind: Kind }>

/** Every failure of a conversation has a code; one of the outbox from an earlier version may have none. */
export const whyOf = ({ why }: Failure): Why => why ?? { code: "DELIVERY_UNKNOWN" }

const mediaOf = (gatewayId: string, { kind, name, pending, problem, src }: ChatMedia): ConversationMedia => ({
  name,
  // The console finds the gateway of a file by this mark, as it does that of a session.
  ...(src === null ? {} : { src: gatewayId === PRIMARY ? src : src.replace(SERVED, `$&@${gatewayId}:`) }),
  type: kind ?? "image",
  ...(pending === true ? { pending } : {}),
  ...(problem === undefined ? {} : { problem })
})

const cutText = (text: string, source: string | null, isCut: true | undefined): { text: string; cut?: true } => {
  const limit = source === null ? MAX_LIVE : MAX_STORED
  if (text.length > limit) return { text: text.slice(0, limit), cut: true }
  return isCut === true ? { text, cut: true } : { text }
}

const waitsOf = ({ delivery, waits }: UserItem): Pick<ItemOf<"user">, "waits"> => {
  if (delivery !== "held" || waits === undefined || waits.state === "taking" || waits.state === "away") return {}
  const { mode, notBefore, position, state } = waits
  return { waits: { mode, ...(notBefore === null ? {} : { notBefore }), position, state } }
}

const argsOf = (args: unknown): { readonly args: unknown; readonly bytes?: number } => {
  const json = JSON.stringify(args) ?? "null"
  const { bytes, text } = beginning(json)
  return bytes === undefined ? { args } : { args: text, bytes }
}

const toolOf = (base: Pick<ToolItem, "at" | "key">, item: ToolItem): ItemOf<"tool"> => {
  const { callId, durationMs, name, startedAt, status, title } = item
  const { args, bytes: argBytes } = argsOf(item.args)
  const { bytes, text: output } = cutBytes(item.output)
  const outputBytes = bytes ?? (item.isCut === true ? Buffer.byteLength(output) : undefined)
  const cut = {
    ...(argBytes === undefined ? {} : { args: argBytes }),
    ...(outputBytes === undefined ? {} : { output: outputBytes })
  }
  return {
    ...base,
    kind: "tool",
    callId,
    name,
    ...(title === null ? {} : { title }),
    args,
    output,
    ...(Object.keys(cut).length === 0 ? {} : { cut }),
    status,
    ...(startedAt === null ? {} : { startedAt }),
    ...(durationMs === null ? {} : { durationMs })
  }
}

/** Makes the item that clients see of an entry of a gateway's conversation. */
export const shownEntry = (gatewayId: string, { item, outgoing, source }: Entry): ConversationItem => {
  const base = { key: item.key, at: item.at, ...(source === null ? {} : { messageId: messageOf(source) }) }
  const shown = (media: ReadonlyArray<ChatMedia>) => media.map((one) => mediaOf(gatewayId, one))
  return itemOf(item)

  function itemOf(chat: ChatItem): ConversationItem {
    switch (chat.kind) {
      case "user":
        return {
          ...base,
          kind: "user",
          ...cutText(chat.text, source, chat.isCut),
          media: shown(chat.images),
          delivery: chat.delivery,
          ...(chat.error === null ? {} : { why: whyOf(chat.error) }),
          ...(chat.isHanded === true ? { read: false } : {}),
          ...(outgoing === undefined ? {} : { outboxId: outgoing.id }),
          ...waitsOf(chat)
        }
      case "assistant": {
        const { isCut, model, streaming, usage } = chat
        const { media, text } = shownAnswer(chat)
        return {
          ...base,
          kind: "assistant",
          ...cutText(text, source, isCut),
          streaming,
          ...(model === null ? {} : { model }),
          ...(chat.injected ? { injected: true } : {}),
          ...(media.length === 0 ? {} : { media: shown(media) }),
          ...(usage === null
            ? {}
            : {
                usage: {
                  input: usage.input,
                  output: usage.output,
                  ...(usage.cost === null ? {} : { cost: usage.cost })
                }
              })
        }
      }
      case "thinking":
        return { ...base, kind: "thinking", text: chat.text, streaming: chat.streaming }
      case "tool":
        return toolOf(base, chat)
      case "note":
        return {
          ...base,
          kind: "note",
          from: chat.from,
          ...("code" in chat ? { code: chat.code } : { text: chat.text })
        }
      case "error":
        return { ...base, kind: "error", why: whyOf(chat.failure) }
      case "aborted":
        return { ...base, kind: "aborted" }
    }
  }
}
