import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { PushSubscription, QuietHours } from "../../../../src/contract/answers/PushAnswers.ts"
import { INBOX_KINDS, type InboxKind } from "../../../../src/contract/inbox.ts"
import { fieldsOf, filledText, listOf, numberOf, recordsOf, type Shown, textOf } from "../common/decode.ts"
import { say } from "../language/say.ts"

/** A device as shown on screen. */
export type PushDevice = Shown<PushSubscription>

/** What can be chosen for a device; null clears the quiet hours. */
export interface PushChoices {
  readonly label?: string
  readonly kinds?: ReadonlyArray<InboxKind>
  readonly quiet?: QuietHours | null
  readonly private?: boolean
  readonly directAllow?: boolean
}

const readQuiet = (value: unknown): QuietHours | null => {
  const { from, to, zone } = fieldsOf<QuietHours>(value)
  const [start, end, place] = [filledText(from), filledText(to), filledText(zone)]
  return start === null || end === null || place === null ? null : { from: start, to: end, zone: place }
}

/** Reads a device; null without an id. */
export const readDevice = (value: unknown): PushDevice | null => {
  const device = fieldsOf<PushSubscription>(value)
  const id = filledText(device.id)
  if (id === null) return null
  const kinds = listOf(device.kinds)
  return {
    id,
    label: filledText(device.label) ?? say("Browser"),
    kinds: INBOX_KINDS.filter((kind) => kinds.includes(kind)),
    quiet: readQuiet(device.quiet),
    private: device.private !== false,
    directAllow: device.directAllow === true,
    createdAt: numberOf(device.createdAt) ?? 0,
    lastSentAt: numberOf(device.lastSentAt),
    lastError: filledText(device.lastError)
  }
}

/** The console's key, and the devices it knows. */
export interface PushOverview {
  readonly publicKey: string
  readonly devices: ReadonlyArray<PushDevice>
  /** Why no device can be added; null where one can. */
  readonly off: string | null
}

/** Reads `GET /api/push`; null without a key. */
export const readOverview = (value: unknown): PushOverview | null => {
  const { off, publicKey, subscriptions } = fieldsOf<Answers["GET /api/push"]>(value)
  const key = textOf(publicKey)
  if (key === null) return null
  const devices = recordsOf(subscriptions).flatMap((device) => readDevice(device) ?? [])
  return { publicKey: key, devices, off: filledText(off) }
}
