import { assert, describe, it } from "@effect/vitest"
import { parseDefinition } from "../../../../src/services/machine/service-manager/definedIn.ts"
import { launchdPlist, systemdUnit } from "../../../../src/services/machine/service-manager/serviceFiles.ts"

const service = {
  node: "/usr/bin/node",
  script: "/srv/console/dist/cli.js",
  directory: `/srv/100% "a" & <b>`,
  logFile: "/home/a & b/console.log",
  user: "alice",
  path: `/a "b" 100% $c:/back\\slash:/<d>&'e'`
}

describe("the file of an installed service", () => {
  it("is read back as it was written", () => {
    const { directory, path, logFile } = service
    assert.deepStrictEqual(parseDefinition("systemd-user", systemdUnit(service, "user")), {
      directory,
      path,
      logFile: undefined
    })
    assert.deepStrictEqual(parseDefinition("launchd", launchdPlist(service)), { directory, path, logFile })
  })

  it("may leave things out, or be another program's", () => {
    const nothing = { directory: undefined, path: undefined, logFile: undefined }
    assert.deepStrictEqual(parseDefinition("systemd-system", "[Service]\nExecStart=/bin/true\n"), nothing)
    assert.deepStrictEqual(parseDefinition("launchd", "<plist/>"), nothing)
  })
})
