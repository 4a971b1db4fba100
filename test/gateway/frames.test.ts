import { expect, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { operator } from "../../practice-gateway/test/operator.ts"
import { compareFrames } from "../support/frames/compareFrames.ts"
import { FRAME_SCRIPT } from "../support/frames/frameScript.ts"
import { mockAgent } from "../support/frames/mockAgent.ts"
import { playScript } from "../support/frames/playScript.ts"
import { type Link, newDevice, openLink } from "../support/gatewayLink.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"

const CAPS = ["tool-events", "approvals"]

/** Sets that every command of the agent needs a permission. */
const askAlways = Effect.fnUntraced(function* (link: Link) {
  const { file, hash } = yield* link.call("exec.approvals.get")
  const defaults = { security: "allowlist", ask: "always" }
  yield* link.call("exec.approvals.set", { baseHash: hash, file: { ...Object(file), version: 1, defaults } })
})

for (const offered of inject("gateways")) {
  const { version } = offered
  const generation = version.startsWith("2026.3") ? "old" : "new"
  const scenes = FRAME_SCRIPT.filter(({ only }) => only === undefined || only === generation)

  const ofGateway = Effect.gen(function* () {
    // A gateway of its own: what other tests leave behind would show in its answers.
    const gateway = yield* startGateway({ version })
    const link = yield* openLink(gateway.url.replace("http", "ws"))
    const hello = yield* link.connect({ token: gateway.token, device: newDevice(), caps: CAPS })
    const ask = askAlways(link)
    const played = yield* playScript(link, scenes, { names: { thinker: "mock/mock-think" }, ask })
    return [{ scene: "connect", subject: "connect", frame: hello }, ...played]
  }).pipe(Effect.scoped)

  const ofPractice = Effect.gen(function* () {
    const { link, hello } = yield* operator({ caps: CAPS })
    const played = yield* playScript(link, scenes, { names: { thinker: "demo/scholar" }, ask: Effect.void })
    return [{ scene: "connect", subject: "connect", frame: hello }, ...played]
  }).pipe(Effect.provide(practiceGateway({ generation, seed: false, tokenMs: 1, agent: mockAgent })), Effect.scoped)

  describeOn(offered)(`the practice gateway beside gateway ${version}`, () => {
    it.live("has the same responses and events, except for the listed differences", () =>
      Effect.gen(function* () {
        const [gateway, practice] = yield* Effect.all([ofGateway, ofPractice], { concurrency: "unbounded" })
        const differences = compareFrames(gateway, practice, generation)
        const list = differences.map((line) => `- ${line}\n`).join("")
        yield* Effect.promise(() => expect(list).toMatchFileSnapshot(`practiceDifferences.${generation}.md`))
      })
    )
  })
}
