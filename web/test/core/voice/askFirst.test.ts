import { assert, describe, it } from "@effect/vitest"
import type { VoiceReach } from "../../../../src/contract/schema/voice.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { askingFirst, createVoiceAgreement, mayRead } from "../../../src/core/voice/askFirst.ts"

const service = (name: string, isOnline = true, isOff = false) => ({ name, isOnline, isOff })

const reach = (change: Partial<VoiceReach["speakers"]> = {}) => ({
  ok: true as const,
  value: {
    automatic: "free" as const,
    speakers: {
      free: service("Microsoft"),
      vendor_a: service("OpenAI"),
      vendor_b: service("Replicate"),
      alias: service("Replicate"),
      ...change
    },
    models: service("Hugging Face"),
    recogniser: service("OpenAI")
  }
})

describe("before a text is read aloud", () => {
  it("its service is named and agreed to, each once and for good", () => {
    const storage = memoryStorage()
    const agreement = createVoiceAgreement(storage)
    assert.deepStrictEqual(mayRead(reach(), null, agreement), {
      type: "ask",
      service: "Microsoft",
      message: "Reading aloud sends the text to Microsoft, which turns it into speech."
    })
    agreement.add("Microsoft")
    assert.deepStrictEqual(mayRead(reach(), null, createVoiceAgreement(storage)), { type: "yes" })
    assert.deepInclude(mayRead(reach(), "vendor_a", agreement), { type: "ask", service: "OpenAI" })
  })

  it("nothing is asked for a voice on the console's machine", () => {
    const agreement = createVoiceAgreement(memoryStorage())
    const here = reach({ vendor_a: service("localhost", false) })
    assert.deepStrictEqual(mayRead(here, "vendor_a", agreement), { type: "yes" })
  })

  it("it's said where it can't be read, even if it was agreed to once", () => {
    const agreement = createVoiceAgreement(memoryStorage())
    agreement.add("Microsoft")
    assert.deepStrictEqual(mayRead(reach({ free: service("Microsoft", true, true) }), null, agreement), {
      type: "no",
      message: "The demo reads nothing aloud, since an online voice would get the text."
    })
    assert.deepStrictEqual(mayRead({ ok: false, message: "No." }, null, agreement), { type: "no", message: "No." })
  })
})

it("once a person agrees, a speaker reads what was asked for last", async () => {
  const log: Array<string> = []
  let agree = () => {}
  const speaker = askingFirst(
    {
      speaking: createObservable(false),
      say: async (text) => {
        log.push(text)
      },
      stop: () => {}
    },
    {
      mayRead: async () => ({ type: "ask", service: "Microsoft", message: "To Microsoft?" }),
      onRefused: (message) => assert.fail(message),
      // The question is already shown the second time.
      onAsk: (_, read) => {
        if (log.length === 0) agree = read
        log.push("asked")
      }
    }
  )
  await speaker.say("one")
  await speaker.say("two")
  agree()
  assert.deepStrictEqual(log, ["asked", "asked", "two"])
})

it("a speaker reads what was agreed to, and nothing that was stopped or replaced while it asked", async () => {
  const log: Array<string> = []
  const answers: Array<(answer: ReturnType<typeof mayRead>) => void> = []
  const speaker = askingFirst(
    {
      speaking: createObservable(false),
      say: async (text) => {
        log.push(`says ${text}`)
      },
      stop: () => {}
    },
    {
      mayRead: () => new Promise((resolve) => answers.push(resolve)),
      onRefused: (message) => log.push(message),
      onAsk: ({ message }, read) => {
        log.push(message)
        read()
      }
    }
  )
  const first = speaker.say("one")
  const second = speaker.say("two")
  answers[0]?.({ type: "yes" })
  answers[1]?.({ type: "ask", service: "Microsoft", message: "To Microsoft?" })
  await Promise.all([first, second])
  const third = speaker.say("three")
  speaker.stop()
  answers[2]?.({ type: "yes" })
  await third
  const fourth = speaker.say("four")
  answers[3]?.({ type: "no", message: "Not here." })
  await fourth
  assert.deepStrictEqual(log, ["To Microsoft?", "says two", "Not here."])
})
