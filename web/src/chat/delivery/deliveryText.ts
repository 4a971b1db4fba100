import { clockTime } from "../../core/common/timeText.ts"
import type { UserItem } from "../../core/conversation/chatTypes.ts"

/** How far a message has come, in words and ticks. */
export interface DeliveryMark {
  readonly ticks: 0 | 1 | 2
  readonly text: string
  /** Nobody waits for it any more: the ticks are enough. */
  readonly isQuiet: boolean
}

/** What a message's last line says; null where something else says it. */
export const deliveryMark = ({ delivery, isHanded, waits }: UserItem): DeliveryMark | null => {
  const mark = (ticks: DeliveryMark["ticks"], text: string, isQuiet = false): DeliveryMark => ({ ticks, text, isQuiet })
  switch (delivery) {
    case "sending":
      return waits?.state === "away"
        ? mark(0, "Kept in this browser until the console can be reached")
        : mark(0, "Sending…")
    case "held":
      return mark(1, "Kept by the console", true)
    case "queued":
      return mark(
        2,
        isHanded === true ? "Sent to the agent, which reads it at its next step" : "Queued after the current response"
      )
    case "sent":
      return isHanded === true ? mark(2, "Handed to the agent") : mark(2, "Read by the agent", true)
    case "failed":
    case "unsure":
      return null
  }
}

/** What a held message waits for. */
export interface WaitsFor {
  readonly running: boolean
  readonly linked: boolean
  readonly isAsked: boolean
  readonly now: number
}

/** Why a message isn't sent yet. */
export const waitingReason = ({ waits }: UserItem, { running, linked, isAsked, now }: WaitsFor): string => {
  const notBefore = waits?.notBefore ?? null
  if (notBefore !== null && notBefore > now) return `Scheduled for ${clockTime(notBefore, now)}`
  if (!linked) return "Waiting for the gateway"
  if (isAsked) return "Waiting until the agent's question is settled"
  return running ? "Waiting for the current response" : "Waiting for the message before it"
}
