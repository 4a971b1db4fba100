import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { systemTimeZone, zoneOfLink } from "../../../src/services/timezone/systemTimeZone.ts"

const MODULE = fileURLToPath(new URL("../../../src/services/timezone/systemTimeZone.ts", import.meta.url))

const zoneWith = (TZ: string | undefined): string =>
  execFileSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `import { systemTimeZone } from ${JSON.stringify(MODULE)}; console.log(systemTimeZone())`
    ],
    { env: { PATH: process.env.PATH, ...(TZ === undefined ? {} : { TZ }) }, encoding: "utf8" }
  ).trim()

describe("zoneOfLink", () => {
  it("takes the name behind the system's zone files, wherever these are", () => {
    assert.strictEqual(zoneOfLink("/usr/share/zoneinfo/Europe/Berlin"), "Europe/Berlin")
    assert.strictEqual(
      zoneOfLink("../usr/share/zoneinfo/America/Argentina/Buenos_Aires"),
      "America/Argentina/Buenos_Aires"
    )
    assert.strictEqual(zoneOfLink("/var/db/timezone/zoneinfo/Etc/GMT+5"), "Etc/GMT+5")
    assert.strictEqual(zoneOfLink("/usr/share/zoneinfo/posix/Asia/Tokyo"), "Asia/Tokyo")
  })

  it("calls UTC by one name", () => {
    for (const name of ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Etc/Universal"]) {
      assert.strictEqual(zoneOfLink(`/usr/share/zoneinfo/${name}`), "UTC")
    }
  })

  it("knows nothing of a link that names no zone", () => {
    for (const target of [
      "/etc/zone",
      "/usr/share/zoneinfo/",
      "/usr/share/zoneinfo/../secret",
      "/usr/share/zoneinfo/a b"
    ]) {
      assert.isUndefined(zoneOfLink(target))
    }
  })
})

describe("systemTimeZone", () => {
  it("is the zone Intl tells, with and without TZ", () => {
    assert.strictEqual(zoneWith("Asia/Tokyo"), "Asia/Tokyo")
    assert.strictEqual(zoneWith("UTC"), "UTC")
    const zone = systemTimeZone()
    assert.strictEqual(
      new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone,
      Intl.DateTimeFormat().resolvedOptions().timeZone
    )
  })
})
