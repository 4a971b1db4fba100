import { DateTime } from "effect"

const SENDER = JSON.stringify({ label: "gateway-client", id: "gateway-client" }, null, 2)

/** What a person typed as the older generation stores it: behind a note about the sender, and the time. */
export const wrappedText = (text: string, timestamp: number): string => {
  const time = DateTime.makeUnsafe(timestamp)
  const weekday = DateTime.formatUtc(time, { weekday: "short", locale: "en-US" })
  const stamp = `[${weekday} ${DateTime.formatIso(time).slice(0, 16).replace("T", " ")} UTC]`
  return `Sender (untrusted metadata):\n\`\`\`json\n${SENDER}\n\`\`\`\n\n${stamp} ${text}`
}

/** The line that the older generation puts in front of the first message after a change of the model. */
export const switchedNote = (model: string, timestamp: number): string => {
  const at = DateTime.formatIso(DateTime.makeUnsafe(timestamp)).slice(0, 19).replace("T", " ")
  return `System: [${at} UTC] Model switched to ${model}.\n\n`
}
