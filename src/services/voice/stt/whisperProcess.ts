import { createRequire } from "node:module"
import { type Addon, isAddon, isTranscript, MARK, packageFor } from "./whisperAddon.ts"

const [model = "", recording = "", language = "en", threads = "1"] = process.argv.slice(2)

const say = (word: string): void => {
  process.stdout.write(`${word}\n`)
}

const recognise = (addon: Addon): void => {
  say(MARK.program)
  const context = new addon.WhisperContext({ filePath: model, useGpu: false })
  say(MARK.model)
  // After an internal failure, the addon never settles its promise: then the process has nothing left to do and exits
  // without a result.
  void context
    .transcribeFile(recording, { language, maxThreads: Number(threads) })
    .promise.then((transcript: unknown) => {
      if (isTranscript(transcript)) say(`${MARK.text}${JSON.stringify(transcript.result)}`)
    })
}

// Each recording has its own process, so that native code that crashes, hangs or leaks memory ends with it.
const addon: unknown = createRequire(import.meta.url)(packageFor(process.platform, process.arch))
if (isAddon(addon)) recognise(addon)
