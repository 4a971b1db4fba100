import { assert, describe, it } from "@effect/vitest"
import { makeProxySigns, signSentences } from "../../../../src/services/access/trust/proxySigns.ts"

const proxies = new Set(["127.0.0.1", "::1"])
const names = { own: new Set(["den"]), isAllowedOrigin: (origin: string) => origin === "https://nas.example" }

/** What is seen after requests, and what of that was news. */
const after = (requests: ReadonlyArray<readonly [peer: string, headers: Record<string, string>]>) => {
  const signs = makeProxySigns(proxies, names)
  const news = requests.flatMap(([peer, headers]) => signs.note({ peer, headers }) ?? [])
  return { news, seen: signs.seen() }
}

const times = <A>(count: number, one: A) => Array.from({ length: count }, () => one)
const throughProxy = ["172.18.0.5", { host: "nas.example", "x-forwarded-for": "8.8.8.8" }] as const
const UNTRUSTED = [{ kind: "untrusted", address: "172.18.0.5" }] as const

describe("a proxy on another machine that isn't trusted", () => {
  it("is reported once, after its third request", () => {
    assert.deepStrictEqual(after(times(2, throughProxy)).seen, [])
    assert.deepStrictEqual(after(times(3, throughProxy)), { news: [...UNTRUSTED], seen: [...UNTRUSTED] })
    assert.deepStrictEqual(after(times(500, throughProxy)), { news: [...UNTRUSTED], seen: [...UNTRUSTED] })
  })

  it("is reported beside requests of this machine, such as health checks", () => {
    const own = ["127.0.0.1", { host: "127.0.0.1:3080" }] as const
    assert.deepStrictEqual(after([own, throughProxy, own, throughProxy, own, throughProxy, own]).seen, [...UNTRUSTED])
  })

  it("is reported by its new address when that has changed", () => {
    const moved = ["172.18.0.9", throughProxy[1]] as const
    const { news, seen } = after([...times(5, throughProxy), ...times(100, moved)])
    assert.deepStrictEqual(seen, [{ kind: "untrusted", address: "172.18.0.9" }])
    assert.deepStrictEqual(news, [...UNTRUSTED, { kind: "untrusted", address: "172.18.0.9" }])
  })

  it("is reported on this machine, too, if the setting leaves that out", () => {
    const signs = makeProxySigns(new Set(["172.18.0.5"]), names)
    const headers = { host: "nas.example", "x-forwarded-for": "8.8.8.8" }
    for (let count = 0; count < 3; count++) signs.note({ peer: "127.0.0.1", headers })
    const [sign] = signs.seen()
    assert.deepStrictEqual(sign, { kind: "untrusted", address: "127.0.0.1" })
    if (sign !== undefined) assert.include(signSentences(sign).fix.message, "(TRUSTED_PROXIES=127.0.0.1,::1)")
  })

  it("isn't assumed where others come, too, or where it's trusted", () => {
    const direct = ["192.168.1.7", { host: "192.168.1.2:3080" }] as const
    assert.deepStrictEqual(after([direct, ...times(20, throughProxy)]).seen, [])
    assert.deepStrictEqual(after([...times(20, throughProxy), direct]).seen, [])
    assert.deepStrictEqual(after(times(20, direct)).seen, [])
    assert.deepStrictEqual(
      after(times(20, ["127.0.0.1", { host: "nas.example", "x-forwarded-for": "8.8.8.8" }])).seen,
      []
    )
  })
})

describe("a proxy on this machine that says nothing of whom it asks for", () => {
  const seen = (headers: Record<string, string>, peer = "127.0.0.1") => after([[peer, headers]]).seen
  const SILENT = [{ kind: "silent", host: "nas.example" }] as const

  it.each([
    ["by the host it passes on", { host: "nas.example" }],
    ["by the host with a port", { host: "NAS.example:8443" }],
    ["by the page's origin", { host: "127.0.0.1:3080", origin: "https://nas.example" }],
    [
      "by the page that asks",
      { host: "127.0.0.1:3080", "sec-fetch-site": "same-origin", referer: "https://nas.example/board" }
    ]
  ])("is noticed %s", (_what, headers) => {
    assert.deepStrictEqual(seen(headers), [...SILENT])
    assert.deepStrictEqual(seen(headers, "::1"), [...SILENT])
    assert.deepStrictEqual(seen(headers, "172.18.0.5"), [])
  })

  it.each([
    { host: "127.0.0.1:3080" },
    { host: "localhost:3080" },
    { host: "[::1]:3080" },
    { host: "console.localhost" },
    { host: "den:3080" },
    { host: "" },
    {},
    { host: "nas.example", "x-forwarded-for": "8.8.8.8" },
    { host: "nas.example", via: "1.1 proxy" },
    { host: "127.0.0.1:3080", origin: "https://elsewhere.example" },
    { host: "127.0.0.1:3080", "sec-fetch-site": "cross-site", referer: "https://elsewhere.example/" },
    { host: "127.0.0.1:3080", referer: "https://elsewhere.example/" }
  ])("isn't assumed from %j", (headers) => assert.deepStrictEqual(seen(headers), []))

  it("is reported once", () => {
    assert.deepStrictEqual(after(times(9, ["127.0.0.1", { host: "nas.example" }])).news, [...SILENT])
  })
})

describe("a proxy that forwards no upgrades", () => {
  const handshake = ["8.8.8.8", { host: "nas.example", "sec-websocket-key": "k" }] as const
  const whole = ["8.8.8.8", { ...handshake[1], upgrade: "websocket" }] as const
  const STRIPPED = [{ kind: "stripped", host: "nas.example" }] as const

  it("is reported at its third handshake without one, until a whole one comes", () => {
    assert.deepStrictEqual(after(times(2, handshake)).news, [])
    assert.deepStrictEqual(after(times(9, handshake)), { news: [...STRIPPED], seen: [...STRIPPED] })
    assert.deepStrictEqual(after([...times(9, handshake), whole]).seen, [])
    assert.deepStrictEqual(after([handshake, handshake, whole, handshake, handshake]).news, [])
    const [sign] = after(times(3, handshake)).seen
    if (sign !== undefined) assert.include(signSentences(sign).fix.message, "/api/live")
  })
})
