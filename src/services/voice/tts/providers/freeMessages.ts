import { createHash } from "node:crypto"
import { DateTime } from "effect"

/** The key every copy of the browser uses for its read-aloud voices; it's public and protects nothing. */
const CLIENT_TOKEN = "6A5AA1D4EAFF4E9FB37E23D68491D6F4"
const BROWSER_VERSION = "143.0.3650.75"
const BROWSER_MAJOR = BROWSER_VERSION.split(".")[0] ?? ""

/** Seconds from 1601, where the service's clock begins, to 1970. */
const EPOCH_OFFSET_S = 11_644_473_600
/** A stamp is valid for five minutes. */
const STAMP_S = 300
/** Ticks of 100 ns per second, as trailing zeros. */
const TICK_ZEROS = "0000000"

/** The stamp for a time (epoch milliseconds) that the service requires for each connection. */
export const timeStamp = (now: number): string => {
  const seconds = Math.floor(now / 1000) + EPOCH_OFFSET_S
  const ticks = `${seconds - (seconds % STAMP_S)}${TICK_ZEROS}`
  return createHash("sha256").update(`${ticks}${CLIENT_TOKEN}`, "ascii").digest("hex").toUpperCase()
}

/** The URL of one connection. */
export const connectionUrl = (base: string, now: number, connectionId: string): string => {
  const url = new URL(base)
  url.searchParams.set("TrustedClientToken", CLIENT_TOKEN)
  url.searchParams.set("Sec-MS-GEC", timeStamp(now))
  url.searchParams.set("Sec-MS-GEC-Version", `1-${BROWSER_VERSION}`)
  url.searchParams.set("ConnectionId", connectionId)
  return url.href
}

/** Headers of the upgrade; `visitor` is any 32 hexadecimal digits. */
export const connectionHeaders = (visitor: string): Readonly<Record<string, string>> => ({
  "User-Agent":
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${BROWSER_MAJOR}.0.0.0 ` +
    `Safari/537.36 Edg/${BROWSER_MAJOR}.0.0.0`,
  Origin: "chrome-extension://jdiccldimpdaibmpdkjnbmckianbfold",
  Pragma: "no-cache",
  "Cache-Control": "no-cache",
  "Accept-Language": "en-US,en;q=0.9",
  Cookie: `muid=${visitor};`
})

const UTC = /^(\w+), (\d+) (\w+) (\d+) (.+) GMT$/

/** A time as the service's own pages write it: `Fri Nov 20 2026 16:30:00 GMT+0000 (Coordinated Universal Time)`. */
const stamp = (now: number): string =>
  DateTime.toDateUtc(DateTime.makeUnsafe(now))
    .toUTCString()
    .replace(UTC, "$1 $3 $2 $4 $5 GMT+0000 (Coordinated Universal Time)")

/** First message: the format of the audio. */
export const configMessage = (now: number): string =>
  `X-Timestamp:${stamp(now)}\r\nContent-Type:application/json; charset=utf-8\r\nPath:speech.config\r\n\r\n` +
  '{"context":{"synthesis":{"audio":{"metadataoptions":{"sentenceBoundaryEnabled":"false","wordBoundaryEnabled":"false"},' +
  '"outputFormat":"audio-24khz-48kbitrate-mono-mp3"}}}}\r\n'

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

/** XML text: escaped, with characters invalid in XML replaced by spaces. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, " ")
    .replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)

/** Second message: the text and the voice. */
export const textMessage = (
  now: number,
  requestId: string,
  { text, voice, locale }: { readonly text: string; readonly voice: string; readonly locale: string }
): string =>
  `X-RequestId:${requestId}\r\nContent-Type:application/ssml+xml\r\nX-Timestamp:${stamp(now)}Z\r\nPath:ssml\r\n\r\n` +
  `<speak version='1.0' xmlns='http://www.w3.org/2001/10/synthesis' xml:lang='${escapeXml(locale)}'>` +
  `<voice name='${escapeXml(voice)}'><prosody pitch='+0Hz' rate='+0%' volume='+0%'>${escapeXml(text)}</prosody></voice></speak>`

const PATH = /(?:^|\r\n)Path:\s*([\w.]+)/i
const LENGTH_BYTES = 2

/** A message of the service: audio, the end of a response, or one to ignore. */
export type FreeMessage =
  | { readonly type: "audio"; readonly bytes: Uint8Array }
  | { readonly type: "end" }
  | { readonly type: "other" }

/** Reads a text message. */
export const readText = (message: string): FreeMessage =>
  PATH.exec(message.split("\r\n\r\n")[0] ?? "")?.[1] === "turn.end" ? { type: "end" } : { type: "other" }

/** Reads a binary message: the length of its header in two bytes, the header, the audio. */
export const readBinary = (message: Uint8Array): FreeMessage => {
  if (message.length < LENGTH_BYTES) return { type: "other" }
  const start = LENGTH_BYTES + new DataView(message.buffer, message.byteOffset).getUint16(0)
  if (start > message.length) return { type: "other" }
  const header = new TextDecoder("latin1").decode(message.subarray(LENGTH_BYTES, start))
  return PATH.exec(header)?.[1] === "audio" ? { type: "audio", bytes: message.subarray(start) } : { type: "other" }
}
