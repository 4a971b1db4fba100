import { clockTime } from "../../core/common/timeText.ts"
import type { ChatItem, UserItem } from "../../core/conversation/chatTypes.ts"
import { say } from "../../core/language/say.ts"

/** How far a message has come, in words and ticks. */
export interface DeliveryMark {
  readonly ticks: 0 | 1 | 2
  readonly text: string
}

/** What a message's last line says; null where a person has something to decide. */
export const deliveryMark = ({ delivery, isHanded }: UserItem): DeliveryMark | null => {
  switch (delivery) {
    case "sending":
      return { ticks: 0, text: say("Sending…") }
    case "held":
      return { ticks: 1, text: say("Kept by the console") }
    case "queued":
      return { ticks: 2, text: say("Handed to the agent") }
    case "sent":
      return { ticks: 2, text: isHanded === true ? say("Handed to the agent") : say("Read by the agent") }
    case "failed":
    case "unsure":
      return null
  }
}

/** The note of a message that takes longer where nobody can help; null for any other. */
export const delayText = ({ delivery, isHanded, waits }: UserItem): string | null => {
  if (delivery === "sending" && waits?.state === "away") return say("Sends when you're back online")
  if (delivery !== "queued") return null
  return isHanded === true
    ? say("Sent to the agent, which reads it at its next step")
    : say("Queued after the current response")
}

/** What a held message waits for. */
export interface WaitsFor {
  readonly running: boolean
  /** The console can be reached. */
  readonly reached: boolean
  /** The gateway can. */
  readonly linked: boolean
  readonly isAsked: boolean
  readonly now: number
}

const HELD = { stop: say("Held: everything is stopped"), budget: say("Held: a budget is used up") } as const

/** Why a message isn't sent yet. */
export const waitingReason = ({ waits }: UserItem, { running, reached, linked, isAsked, now }: WaitsFor): string => {
  const notBefore = waits?.notBefore ?? null
  if (notBefore !== null && notBefore > now) return say("Scheduled for {time}", { time: clockTime(notBefore, now) })
  if (!reached) return say("Waiting for the connection")
  if (waits?.held !== undefined) return HELD[waits.held.by]
  if (!linked) return say("Waiting for the gateway")
  if (isAsked) return say("Waiting until the agent's question is settled")
  return running ? say("Waiting for the current response") : say("Waiting for the message before it")
}

const isPlain = (item: ChatItem | undefined): boolean =>
  item?.kind === "user" && item.delivery === "held" && item.waits?.notBefore == null

/** Whether the message just before this one waits for the same, so that the reason needn't be shown again. */
export const repeatsReason = (items: ReadonlyArray<ChatItem>, key: string): boolean => {
  const index = items.findIndex((item) => item.key === key)
  return isPlain(items[index]) && isPlain(items[index - 1])
}

const two = (value: number): string => String(value).padStart(2, "0")

/** A time as a `datetime-local` field has it: in this browser's time zone, to the minute, rounded up. */
export const fieldTime = (at: number): string => {
  const time = new Date(Math.ceil(at / 60_000) * 60_000)
  const day = `${String(time.getFullYear()).padStart(4, "0")}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Epoch milliseconds of such a field; null while it's empty or incomplete. */
export const timeInField = (value: string): number | null => {
  // Without a time zone a date with a time is local.
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(at) ? at : null
}
