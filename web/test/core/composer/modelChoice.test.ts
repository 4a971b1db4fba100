import { assert, beforeEach, describe, it } from "vitest"
import {
  applyChoice,
  chooseLater,
  modelChoices,
  modelGroups,
  modelText
} from "../../../src/core/composer/modelChoice.ts"

const KEY = "agent:main:new"

describe("what was chosen for a session that doesn't exist yet", () => {
  beforeEach(() => modelChoices.set(new Map()))

  it("is shown in place of what the gateway would choose", () => {
    assert.strictEqual(modelText(null, undefined), "Model")
    assert.strictEqual(modelText({ model: "swift", thinkingLevel: "low" }, undefined), "swift · Low")
    assert.strictEqual(modelText(null, { model: "demo/scholar", thinking: "high" }), "scholar · High")
    assert.strictEqual(modelText({ model: "swift", thinkingLevel: null }, { thinking: "low" }), "swift · Low")
  })

  it("is given to the session once, with the model first", async () => {
    chooseLater(KEY, { thinking: "high" })
    chooseLater(KEY, { model: "demo/scholar" })
    const said: Array<string> = []
    const sessions = {
      setModel: async (key: string, model: string | null) => {
        said.push(`${key} ${model}`)
        return { ok: true, value: true } as const
      },
      setThinking: async (key: string, level: string | null) => {
        said.push(`${key} ${level}`)
        return { ok: true, value: true } as const
      }
    }
    assert.isTrue((await applyChoice(sessions, KEY)).ok)
    assert.deepStrictEqual(said, [`${KEY} demo/scholar`, `${KEY} high`])
    assert.isTrue((await applyChoice(sessions, KEY)).ok)
    assert.strictEqual(said.length, 2)
  })

  it("stays if the gateway refuses it, and the reason is shown", async () => {
    chooseLater(KEY, { model: "demo/nothing" })
    const refuses = async () => ({ ok: false, message: "There's no such model." }) as const
    assert.deepStrictEqual(await applyChoice({ setModel: refuses, setThinking: refuses }, KEY), await refuses())
    assert.deepStrictEqual(modelChoices.get().get(KEY), { model: "demo/nothing" })
  })
})

describe("the list of models", () => {
  const models = [
    { id: "anthropic/claude-sonnet", label: "Claude Sonnet", provider: "anthropic" },
    { id: "openai/gpt", label: "openai/gpt", provider: "openai" },
    { id: "anthropic/claude-haiku", label: "Claude Haiku", provider: "anthropic" },
    { id: "local/llama", label: "llama", provider: "" }
  ]

  it("is grouped by provider, in the gateway's order", () => {
    assert.deepStrictEqual(modelGroups(models, ""), [
      {
        provider: "anthropic",
        options: [
          { id: "anthropic/claude-sonnet", label: "Claude Sonnet", hint: "claude-sonnet" },
          { id: "anthropic/claude-haiku", label: "Claude Haiku", hint: "claude-haiku" }
        ]
      },
      { provider: "openai", options: [{ id: "openai/gpt", label: "gpt", hint: "" }] },
      { provider: "local", options: [{ id: "local/llama", label: "llama", hint: "" }] }
    ])
  })

  it("is searched by all words of a query, wherever they are", () => {
    const found = (query: string) => modelGroups(models, query).flatMap(({ options }) => options.map(({ id }) => id))
    assert.deepStrictEqual(found("haiku anth"), ["anthropic/claude-haiku"])
    assert.deepStrictEqual(found("  GPT "), ["openai/gpt"])
    assert.deepStrictEqual(found("nothing"), [])
  })
})
