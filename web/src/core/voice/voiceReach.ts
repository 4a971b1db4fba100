import {
  SPEAKERS,
  type SpeakerId,
  type VoiceReach,
  type VoiceService
} from "../../../../src/contract/answers/VoiceAnswers.ts"
import { fieldsOf, filledText, recordOf } from "../common/decode.ts"

const serviceOf = (value: unknown): VoiceService | null => {
  const { name, isOff, isOnline } = fieldsOf<VoiceService>(value)
  const known = filledText(name)
  return known === null ? null : { name: known, isOnline: isOnline !== false, isOff: isOff === true }
}

/** Reads `GET /api/voice`; null if it lacks a service. */
export const decodeReach = (body: unknown): VoiceReach | null => {
  const fields = recordOf<VoiceReach>(body)
  const speakers = fieldsOf<Record<SpeakerId, VoiceService>>(fields?.speakers)
  const [vendor_a, vendor_b, free, alias] = [speakers.vendor_a, speakers.vendor_b, speakers.free, speakers.alias].map(
    serviceOf
  )
  const models = serviceOf(fields?.models)
  const automatic = SPEAKERS.find((one) => one === fields?.automatic)
  if (!(vendor_a && vendor_b && free && alias && models && automatic)) return null
  return { automatic, speakers: { vendor_a, vendor_b, free, alias }, models }
}
