import { assert, describe, it } from "@effect/vitest"
import {
  type CatalogueRow,
  cliModels,
  hasModel,
  isUsable,
  offeredModels
} from "../../../../src/services/gateway/models/modelRules.ts"

const catalogue: ReadonlyArray<CatalogueRow> = [
  { provider: "p", id: "one", name: "One", available: true },
  { provider: "p", id: "two", name: "Two", available: false },
  { provider: "q", id: "deep/three", name: "Three" }
]

const ids = (config: Parameters<typeof offeredModels>[1], rows = catalogue) =>
  offeredModels(rows, config).map(({ id }) => id)

describe("offeredModels", () => {
  it("offers the configured models first and each once, whether they can be used or not", () => {
    const config = {
      agents: {
        defaults: { model: { primary: "p/two", fallbacks: ["p/one", "p/two"] } },
        list: [{ model: "z/elsewhere" }, {}]
      }
    }
    assert.deepStrictEqual(offeredModels(catalogue, config), [
      { id: "p/two", label: "Two", provider: "p" },
      { id: "p/one", label: "One", provider: "p" },
      { id: "z/elsewhere", label: "elsewhere", provider: "z" }
    ])
  })

  it("offers the allow-list, with whole providers, and then not what providers merely declare", () => {
    const config = {
      agents: { defaults: { model: "p/one", models: { "q/*": {}, "z/named": { alias: "Nickname" } } } },
      models: { providers: { p: { models: [{ id: "declared" }] } } }
    }
    assert.deepStrictEqual(offeredModels(catalogue, config), [
      { id: "p/one", label: "One", provider: "p" },
      { id: "q/deep/three", label: "Three", provider: "q" },
      { id: "z/named", label: "Nickname", provider: "z" }
    ])
  })

  it("offers what providers declare where there is no allow-list", () => {
    const config = { models: { providers: { m: { models: [{ id: "x", name: "Mine" }, { id: "y" }] }, n: {} } } }
    assert.deepStrictEqual(offeredModels([], config), [
      { id: "m/x", label: "Mine", provider: "m" },
      { id: "m/y", label: "y", provider: "m" }
    ])
  })

  it("knows aliases and ids without their provider", () => {
    assert.deepStrictEqual(ids({ agents: { defaults: { model: "one" } } }), ["p/one"])
    assert.deepStrictEqual(ids({ agents: { defaults: { model: "fast", models: { "p/two": { alias: "fast" } } } } }), [
      "p/two"
    ])
  })

  it("counts rows that the gateway tags as configured", () => {
    assert.deepStrictEqual(ids({}, [...catalogue, { provider: "t", id: "x", tags: ["default"] }]), ["t/x"])
  })

  it("offers every usable model when none is configured", () => {
    assert.deepStrictEqual(ids({}), ["p/one", "q/deep/three"])
    assert.deepStrictEqual(ids({}, []), [])
  })
})

describe("cliModels", () => {
  it("are the rows, each id once", () => {
    assert.deepStrictEqual(cliModels([{ key: "a/b/c", name: "Name" }, { key: "x/y", name: null }, { key: "x/y" }]), [
      { id: "a/b/c", label: "Name", provider: "a" },
      { id: "x/y", label: "y", provider: "x" }
    ])
  })

  it("are usable unless the tool says otherwise", () => {
    assert.isTrue(isUsable({ key: "a" }))
    assert.isTrue(isUsable({ key: "a", available: null }))
    assert.isFalse(isUsable({ key: "a", available: false }))
    assert.isFalse(isUsable({ key: "a", available: true, missing: true }))
  })
})

describe("hasModel", () => {
  const config = { agents: { defaults: { model: "z/elsewhere", models: { "p/one": { alias: "Nick" }, "y/*": {} } } } }

  it("knows what is listed or configured, by full id, id or alias", () => {
    for (const name of ["p/one", "P/One", "one", "q/deep/three", "deep/three", "z/elsewhere", "nick", "y/anything"]) {
      assert.isTrue(hasModel(name, catalogue, config), name)
    }
  })

  it("knows nothing else", () => {
    for (const name of ["p/none", "none", "nope/one", "elsewhere/z", "y", "*", "/", "p/", ""]) {
      assert.isFalse(hasModel(name, catalogue, config), name)
    }
    assert.isFalse(hasModel("p/one", [], {}))
  })
})
