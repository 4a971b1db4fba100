import { createServer } from "node:http"
import { toneWav } from "../../support/voice/sounds.ts"

/** A vendor of recognition and voices on loopback. */
export interface VoiceVendor {
  /** For the console's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Recordings as they were uploaded, whole bodies. */
  readonly recordings: Array<Buffer>
  /** Texts that were spoken. */
  readonly spoken: Array<string>
  /** The words of the next recordings, in turn; the last one repeats. */
  words: Array<string>
  /** Where it has models: the first one downloads an eighth and then stalls. */
  readonly models: string
  /** Aborts the running download, and provides no models from now on. */
  readonly refuseModel: () => void
  readonly stop: () => Promise<void>
}

/** Size of the smallest model. */
const TINY_BYTES = 77_691_713

/** Starts it: it recognises `words` in everything and synthesises every text as one tone. */
export const startVoiceVendor = async (): Promise<VoiceVendor> => {
  const recordings: Array<Buffer> = []
  const spoken: Array<string> = []
  let breakOff: (() => void) | undefined
  let hasModels = true
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/models/") === true) {
      if (!hasModels) {
        response.writeHead(404).end()
        return
      }
      response.writeHead(200, { "content-length": String(TINY_BYTES) })
      response.write(Buffer.alloc(Math.ceil(TINY_BYTES / 8)))
      breakOff = () => response.destroy()
      return
    }
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const body = Buffer.concat(parts)
      if (request.url === "/v1/audio/transcriptions") {
        recordings.push(body)
        const text = vendor.words.length > 1 ? vendor.words.shift() : vendor.words[0]
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }))
        return
      }
      spoken.push(JSON.parse(body.toString("utf8")).input)
      response.writeHead(200, { "content-type": "audio/wav" }).end(toneWav(1.5))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const vendor: VoiceVendor = {
    env: {
      STT_PROVIDER: "vendor_a",
      VENDOR_A_API_KEY: "test",
      VENDOR_A_BASE_URL: `http://127.0.0.1:${port}/v1`
    },
    recordings,
    spoken,
    words: ["Buy milk please"],
    models: `http://127.0.0.1:${port}/models`,
    refuseModel: () => {
      hasModels = false
      breakOff?.()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return vendor
}
