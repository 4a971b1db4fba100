import { assert, it } from "@effect/vitest"
import {
  configMessage,
  connectionUrl,
  escapeXml,
  readBinary,
  readText,
  textMessage,
  timeStamp
} from "../../../../src/services/voice/tts/providers/freeMessages.ts"
import { audioMessage, textMessageOf } from "../../../support/voice/freeStandIn.ts"

const NOW = Date.UTC(2026, 10, 20, 16, 32, 7)
const STAMP = "Fri Nov 20 2026 16:32:07 GMT+0000 (Coordinated Universal Time)"

it("the stamp of a connection is the same for five minutes", () => {
  assert.match(timeStamp(NOW), /^[0-9A-F]{64}$/)
  assert.strictEqual(timeStamp(NOW), timeStamp(Date.UTC(2026, 10, 20, 16, 30, 0)))
  assert.notStrictEqual(timeStamp(NOW), timeStamp(Date.UTC(2026, 10, 20, 16, 35, 0)))
  const url = new URL(connectionUrl("wss://host/path/v1?x=1", NOW, "abc"))
  assert.strictEqual(url.pathname, "/path/v1")
  assert.deepStrictEqual(
    [...url.searchParams.keys()],
    ["x", "TrustedClientToken", "Sec-MS-GEC", "Sec-MS-GEC-Version", "ConnectionId"]
  )
})

it("messages have their headers, a blank line and the body", () => {
  const [head = "", body = ""] = configMessage(NOW).split("\r\n\r\n")
  assert.strictEqual(head, `X-Timestamp:${STAMP}\r\nContent-Type:application/json; charset=utf-8\r\nPath:speech.config`)
  assert.strictEqual(JSON.parse(body).context.synthesis.audio.outputFormat, "audio-24khz-48kbitrate-mono-mp3")
  const hostile = { text: `</voice> & "quoted" \u0000\uD800`, voice: "x'><a/>", locale: "de-DE" }
  const [start, ssml = ""] = textMessage(NOW, "id", hostile).split("\r\n\r\n")
  assert.strictEqual(start, `X-RequestId:id\r\nContent-Type:application/ssml+xml\r\nX-Timestamp:${STAMP}Z\r\nPath:ssml`)
  assert.strictEqual(
    ssml,
    "<speak version='1.0' xmlns='http://www.w3.org/2001/10/synthesis' xml:lang='de-DE'>" +
      "<voice name='x&apos;&gt;&lt;a/&gt;'><prosody pitch='+0Hz' rate='+0%' volume='+0%'>" +
      "&lt;/voice&gt; &amp; &quot;quoted&quot;  \uFFFD</prosody></voice></speak>"
  )
  assert.strictEqual(escapeXml("a\tb\u000Bc😀"), "a\tb c😀")
})

it("answers are distinguished, damaged ones are passed over", () => {
  assert.deepStrictEqual(readText(textMessageOf("i", "turn.end")), { type: "end" })
  assert.deepStrictEqual(readText(textMessageOf("i", "turn.start", "Path:turn.end")), { type: "other" })
  const audio = readBinary(audioMessage("i", Buffer.from("sound")))
  assert.deepStrictEqual(audio.type === "audio" ? Buffer.from(audio.bytes).toString() : "", "sound")
  assert.deepStrictEqual(readBinary(Buffer.from([1])), { type: "other" })
  assert.deepStrictEqual(readBinary(Buffer.from([0xff, 0xff, 1])), { type: "other" })
  assert.deepStrictEqual(readBinary(Buffer.from("\0\x0BPath:other\rx")), { type: "other" })
})
