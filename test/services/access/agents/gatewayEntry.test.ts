import { assert, describe, it } from "@effect/vitest"
import { entryFor, patchOf, readEntry } from "../../../../src/services/access/agents/gatewayEntry.ts"

const DEVICE = "0123456789abcdef".repeat(4)
const OTHER = "f".repeat(64)

describe("the console in the gateway's configuration", () => {
  const entry = entryFor("http://127.0.0.1:3080", DEVICE, { id: "token-1", token: "agc_secret" })

  it("has the token in a header, which the gateway hides, and not in its address", () => {
    assert.deepStrictEqual(entry.headers, { Authorization: "Bearer agc_secret" })
    assert.strictEqual(entry.transport, "streamable-http")
    assert.strictEqual(entry.url, "http://127.0.0.1:3080/mcp?console=0123456789abcdef&agent=token-1")
  })

  it("is known by the console that put it there, also without what the gateway hides", () => {
    const shown = { ...entry, headers: { Authorization: "hidden" } }
    assert.deepStrictEqual(readEntry(shown, DEVICE), {
      kind: "own",
      address: "http://127.0.0.1:3080",
      tokenId: "token-1"
    })
  })

  for (const [what, found] of [
    ["another console's", entryFor("http://127.0.0.1:3080", OTHER, { id: "token-1", token: "t" })],
    ["one set by hand", { url: "http://127.0.0.1:3080/mcp", transport: "streamable-http" }],
    ["one that's half there", { url: "http://127.0.0.1:3080/mcp?console=0123456789abcdef" }],
    ["a program", { command: "agent-console", args: ["mcp"] }],
    ["an address that isn't one", { url: "here" }],
    ["something else", ["here"]],
    ["nothing in its place", null]
  ] as const)
    it(`isn't ${what}`, () => assert.deepStrictEqual(readEntry(found, DEVICE), { kind: "foreign" }))

  it("may not be there", () => assert.deepStrictEqual(readEntry(undefined, DEVICE), { kind: "none" }))
})

describe("a change of the configuration", () => {
  it("names the state that was read, if there was a file", () => {
    const { raw, ...rest } = patchOf("abc", { url: "u" }, undefined)
    assert.deepStrictEqual(JSON.parse(raw), { mcp: { servers: { "agent-console": { url: "u" } } } })
    assert.deepStrictEqual(rest, { baseHash: "abc" })
    assert.notProperty(patchOf(undefined, null, undefined), "baseHash")
    assert.notProperty(patchOf(null, null, undefined), "baseHash")
  })

  it("takes an entry out with the lists that somebody added to it", () => {
    const previous = { url: "u", toolFilter: { include: ["a"], exclude: [] }, args: [["x"]], enabled: true }
    assert.deepStrictEqual(patchOf("abc", null, previous), {
      raw: '{"mcp":{"servers":{"agent-console":null}}}',
      baseHash: "abc",
      replacePaths: [
        "mcp.servers.agent-console.toolFilter.include",
        "mcp.servers.agent-console.toolFilter.exclude",
        "mcp.servers.agent-console.args"
      ]
    })
    assert.notProperty(patchOf("abc", { url: "u" }, previous), "replacePaths")
  })
})
