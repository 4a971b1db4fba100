import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Option } from "effect"
import { systemTimeZone, zoneOfLink } from "../../src/node/systemTimeZone.ts"

const OWN = Intl.DateTimeFormat().resolvedOptions().timeZone

const environment = (variables: Record<string, string>) =>
  Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(variables))

const linkTo = (target: string) =>
  Effect.provideService(FileSystem.FileSystem, FileSystem.makeNoop({ readLink: () => Effect.succeed(target) }))

describe("zoneOfLink", () => {
  it("takes the name behind the system's zone files, wherever these are", () => {
    const named = {
      "/usr/share/zoneinfo/Europe/Berlin": "Europe/Berlin",
      "../usr/share/zoneinfo/America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
      "/var/db/timezone/zoneinfo/Etc/GMT+5": "Etc/GMT+5",
      "/usr/share/zoneinfo/posix/Asia/Tokyo": "Asia/Tokyo"
    }
    for (const [target, name] of Object.entries(named)) assert.deepStrictEqual(zoneOfLink(target), Option.some(name))
  })

  it("calls UTC by one name", () => {
    for (const name of ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Etc/Universal"]) {
      assert.deepStrictEqual(zoneOfLink(`/usr/share/zoneinfo/${name}`), Option.some("UTC"))
    }
  })

  it("knows nothing of a link that names no zone", () => {
    for (const target of ["/etc/zone", "/usr/share/zoneinfo/", "/usr/share/zoneinfo/../secret", "/zoneinfo/a b"]) {
      assert.deepStrictEqual(zoneOfLink(target), Option.none())
    }
  })
})

describe("systemTimeZone", () => {
  it.effect("is the zone of the system's link", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* systemTimeZone, "Asia/Tokyo")
    }).pipe(linkTo("/usr/share/zoneinfo/Asia/Tokyo"), environment({}))
  )

  it.effect("is what Intl says where TZ is set or the link names nothing", () =>
    Effect.gen(function* () {
      const chosen = systemTimeZone.pipe(linkTo("/usr/share/zoneinfo/Asia/Tokyo"), environment({ TZ: "Europe/Paris" }))
      assert.strictEqual(yield* chosen, OWN)
      assert.strictEqual(yield* systemTimeZone.pipe(linkTo("/elsewhere"), environment({})), OWN)
    })
  )

  it.effect("is the zone Intl knows, by another name perhaps, on this machine", () =>
    Effect.gen(function* () {
      const timeZone = yield* systemTimeZone
      assert.strictEqual(new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone, OWN)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
