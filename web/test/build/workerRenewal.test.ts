import { assert, describe, it } from "@effect/vitest"
import { workerInMemory } from "../support/workerInMemory.ts"

const json = (status: number, body: unknown) => Response.json(body, { status })
const page = () => new Response("<p>Sign in", { headers: { "content-type": "text/html" } })
const at = (endpoint: string) => ({ endpoint, toJSON: () => ({ endpoint, keys: { auth: "a" } }) })
const OLD = "https://push.test/old"
const NEXT = "https://push.test/next"

/** A worker whose console signs people in and out, with the addresses it received. */
const worker = () => {
  const told: Array<unknown> = []
  const state: { front: (() => Response) | undefined; isSignedIn: boolean } = { front: undefined, isSignedIn: true }
  const running = workerInMemory({
    files: {},
    shell: [],
    later: [],
    answer: (path, { method, body }) => {
      if (state.front !== undefined) return state.front()
      if (!state.isSignedIn) return json(401, { error: "Authentication required" })
      if (path === "/api/push") return json(200, { publicKey: "key", subscriptions: [] })
      if (method === "POST" && path === "/api/push/subscriptions") {
        told.push(JSON.parse(String(body)))
        return json(200, { id: "device-1" })
      }
      return json(404, { error: "not_found" })
    }
  })
  return {
    told,
    state,
    change: (oldSubscription: object | null, newSubscription: object | null) =>
      running.send("pushsubscriptionchange", { oldSubscription, newSubscription }),
    signedIn: () => running.send("message", { data: { type: "signedIn" } }),
    activate: () => running.send("activate")
  }
}

describe("another address of a device", () => {
  it("is notified at once, and once", async () => {
    const running = worker()
    await running.change(at(OLD), at(NEXT))
    await running.signedIn()
    assert.deepStrictEqual(running.told, [{ endpoint: NEXT, keys: { auth: "a" }, replaces: OLD }])
  })

  it.each([
    ["the sign-in had ended", { isSignedIn: false }],
    ["somebody else answered", { front: page }],
    ["nothing answered", { front: () => Response.error() }]
  ])("is told after the next sign-in when %s, also by the next version", async (_why, before) => {
    const running = worker()
    Object.assign(running.state, before)
    await running.change(at(OLD), at(NEXT))
    await running.signedIn()
    assert.deepStrictEqual(running.told, [])
    await running.activate()
    running.state.isSignedIn = true
    running.state.front = undefined
    await running.signedIn()
    await running.signedIn()
    assert.deepStrictEqual(running.told, [{ endpoint: NEXT, keys: { auth: "a" }, replaces: OLD }])
  })

  it("is the last one where it changed twice meanwhile, for the one that the console has", async () => {
    const running = worker()
    running.state.isSignedIn = false
    await running.change(at(OLD), at("https://push.test/between"))
    await running.change(at("https://push.test/between"), at(NEXT))
    running.state.isSignedIn = true
    await running.signedIn()
    assert.deepStrictEqual(running.told, [{ endpoint: NEXT, keys: { auth: "a" }, replaces: OLD }])
  })

  it("is asked for where the browser gave none", async () => {
    const running = worker()
    await running.change(null, null)
    assert.deepStrictEqual(running.told, [{ endpoint: "https://push.test/made", keys: {} }])
  })
})
