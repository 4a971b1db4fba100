import { assert, describe, it } from "@effect/vitest"
import { createObservable } from "../../../src/core/common/Observable.ts"
import { gatewayVersion } from "../../../src/core/gateways/gatewayVersion.ts"

/** Two gateways, the added one of which is older; its link comes with its name. */
const page = () => {
  const gateways = createObservable<ReadonlyArray<{ readonly id: string }> | null>(null)
  const hello = (serverVersion: string) =>
    createObservable<{ readonly serverVersion: string } | null>({ serverVersion })
  const own = hello("2026.9.6")
  const other = hello("2026.7.0")
  const linkOf = (key: string) => ({
    hello: key.startsWith("@other:") && gateways.get()?.length === 2 ? other : own
  })
  return { client: { gateways, linkOf }, both: [{ id: "primary" }, { id: "other" }], other }
}

describe("a gateway's version", () => {
  it("is never that of another gateway while it isn't known which ones there are", () => {
    const { both, client, other } = page()
    const version = gatewayVersion(client, "other")
    const seen: Array<string> = []
    const stop = version.subscribe((next) => seen.push(next))
    assert.strictEqual(version.get(), "")
    client.gateways.set(both)
    assert.strictEqual(version.get(), "2026.7.0")
    other.set({ serverVersion: "2026.9.0" })
    client.gateways.set([])
    stop()
    other.set(null)
    assert.deepStrictEqual(seen, ["2026.7.0", "2026.9.0", ""])
  })

  it("is known at once for the primary one", () => {
    assert.strictEqual(gatewayVersion(page().client, "primary").get(), "2026.9.6")
  })
})
