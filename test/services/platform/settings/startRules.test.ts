import { assert, it } from "@effect/vitest"
import { exposureProblem, isEveryInterface } from "../../../../src/services/platform/settings/startRules.ts"

it.each(["0.0.0.0", "::", "0:0:0:0:0:0:0:0", "::ffff:0.0.0.0", "::%eth0", "0", "0x0", "0.0"])(
  "%s is every interface",
  (host) => assert.isTrue(isEveryInterface(host))
)

it.each(["127.0.0.1", "::1", "localhost", "192.168.0.10", "fe80::1%eth0", "my.host"])("%s is one address", (host) =>
  assert.isFalse(isEveryInterface(host))
)

it("every interface needs sign-in, or an explicit word that it is wanted", () => {
  const settings = { host: "0.0.0.0", authEnabled: false, allowInsecure: false }
  assert.include(exposureProblem(settings) ?? "", "SVC_ALLOW_INSECURE")
  assert.isUndefined(exposureProblem({ ...settings, authEnabled: true }))
  assert.isUndefined(exposureProblem({ ...settings, allowInsecure: true }))
  assert.isUndefined(exposureProblem({ ...settings, host: "127.0.0.1" }))
})
