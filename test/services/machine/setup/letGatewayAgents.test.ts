import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { GatewayAgentsState } from "../../../../src/contract/schema/access.ts"
import { AgentNameTaken } from "../../../../src/services/access/agents/AgentTokens.ts"
import { GatewayAgents } from "../../../../src/services/access/agents/GatewayAgents.ts"
import { GatewayError } from "../../../../src/services/gateway/client/GatewayError.ts"
import { letGatewayAgents } from "../../../../src/services/machine/setup/letGatewayAgents.ts"
import type { SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { answeredQuestions } from "../../../support/answeredQuestions.ts"
import { testSettings } from "../../../support/testSettings.ts"

const LOCAL = "http://127.0.0.1:3080"
const ADDED = ["add", LOCAL, "read,propose,ask"].join(" ")
const away = new GatewayError({ reason: "unreachable", message: "No gateway is listening: start it." })

/** The question, asked with the gateway in a state: what was changed and what was said. */
const asked = (
  state: GatewayAgentsState["state"] | GatewayError,
  options: {
    readonly answers?: Parameters<typeof answeredQuestions>[0]
    readonly wanted?: boolean
    readonly settings?: Partial<SettingsShape>
    readonly isNameTaken?: boolean
  } = {}
) => {
  const done: Array<string> = []
  const { told, layer } = answeredQuestions(options.answers ?? [])
  const agents = Layer.succeed(GatewayAgents, {
    look: typeof state === "string" ? Effect.succeed({ state }) : Effect.fail(state),
    add: ({ address, rights }) =>
      Effect.suspend(() => {
        if (options.isNameTaken === true) return Effect.fail(new AgentNameTaken())
        done.push(`add ${address} ${rights.join()}`)
        return Effect.succeed({ state: "on" as const })
      }),
    remove: Effect.sync(() => {
      done.push("remove")
      return { state: "off" as const }
    })
  })
  return letGatewayAgents(testSettings(options.settings), options.wanted).pipe(
    Effect.provide([agents, layer]),
    Effect.match({ onSuccess: () => undefined, onFailure: ({ message }) => message }),
    Effect.map((refusal) => ({ done, refusal, told: told.join("\n") }))
  )
}

const yes = [["Let the gateway", "y"]] as const

describe("the question whether the gateway's agents may use the board", () => {
  it.effect("changes nothing by itself, and says before what a yes or a no changes", () =>
    Effect.gen(function* () {
      for (const [state, consequence] of [
        ["off", "A yes adds the server agent-console"],
        ["on", "A no removes the server agent-console"]
      ] as const) {
        const { done, told } = yield* asked(state)
        assert.deepStrictEqual(done, [])
        assert.isBelow(told.indexOf(consequence), told.indexOf("Let the gateway's agents"))
      }
    })
  )

  it.effect("adds with a yes, at the address that is proposed or typed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* asked("off", { answers: yes })).done, [ADDED])
      const answers = [...yes, ["Address at which", "ftp://here"], ["Address at which", "10.0.0.2:3080/"]] as const
      const typed = yield* asked("revoked", { answers })
      assert.deepStrictEqual(typed.done, ["add http://10.0.0.2:3080 read,propose,ask"])
      assert.include(typed.told, "isn't a valid address")
    })
  )

  it.effect("removes with a no what is there", () =>
    Effect.gen(function* () {
      for (const state of ["on", "revoked"] as const)
        assert.deepStrictEqual((yield* asked(state, { answers: [["Let the gateway", "n"]] })).done, ["remove"])
    })
  )

  it.effect("isn't asked where it can't be had, and says why", () =>
    Effect.gen(function* () {
      for (const [state, why] of [
        ["older", "update the gateway"],
        ["taken", "openclaw mcp unset agent-console"],
        [away, "No gateway is listening"]
      ] as const) {
        const { done, refusal, told } = yield* asked(state, { answers: yes })
        assert.deepStrictEqual([done, refusal], [[], undefined])
        assert.include(told, why)
        assert.notInclude(told, "Let the gateway's agents")
      }
      const settings = { gatewayUrl: "http://gw.example.org:18789" }
      assert.include((yield* asked("off", { answers: yes, settings })).told, "allow other devices")
      assert.include((yield* asked("off", { answers: yes, isNameTaken: true })).told, "revoke it")
    })
  )
})

describe("the flag", () => {
  it.effect("asks nothing, and does only what isn't so already", () =>
    Effect.gen(function* () {
      for (const [state, wanted, expected] of [
        ["off", true, [ADDED]],
        ["on", true, []],
        ["revoked", true, [ADDED]],
        ["off", false, []],
        ["older", false, []],
        ["on", false, ["remove"]],
        ["revoked", false, ["remove"]]
      ] as const) {
        const { done, refusal, told } = yield* asked(state, { wanted })
        assert.deepStrictEqual([done, refusal], [expected, undefined], `${state} ${wanted}`)
        assert.notInclude(told, "Let the gateway's agents")
      }
    })
  )

  it.effect("fails with the reason where it can't be had", () =>
    Effect.gen(function* () {
      const settings = { gatewayUrl: "http://gw.example.org:18789" }
      for (const [found, why] of [
        [asked("older", { wanted: true }), "update the gateway"],
        [asked("taken", { wanted: true }), "openclaw mcp unset agent-console"],
        [asked("taken", { wanted: false }), "openclaw mcp unset agent-console"],
        [asked(away, { wanted: true }), "No gateway is listening"],
        [asked("off", { wanted: true, settings }), "allow other devices"],
        [asked("off", { wanted: true, isNameTaken: true }), "revoke it"]
      ] as const) {
        const { done, refusal } = yield* found
        assert.include(refusal ?? "", why)
        assert.deepStrictEqual(done, [])
      }
    })
  )
})
