import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress, judgeEndpoint } from "../../../src/services/push/endpointRules.ts"

describe("endpoints", () => {
  it.each([
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://fcm.googleapis.com:443/fcm/send/abc",
    "https://web.push.apple.com/QAbc",
    "https://db5p.notify.windows.com/w/?token=abc"
  ])("of the browsers' push services are contacted: %s", (endpoint) => {
    assert.strictEqual(judgeEndpoint(endpoint, []), "public")
  })

  it.each([
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/fcm/send/abc",
    "https://fcm.googleapis.com.example.org/abc",
    "https://fcm.googleapis.com./abc",
    "https://evil.fcm.googleapis.com/abc",
    "https://push.apple.com/abc",
    "https://evilpush.apple.com/abc",
    "https://notify.windows.com.evil.org/abc",
    "https://user:pass@fcm.googleapis.com/abc",
    "https://evil.org/@fcm.googleapis.com/abc",
    "https://evil.org#.push.apple.com",
    "https://evil.org\\.push.apple.com/",
    "https://127.0.0.1/abc",
    "https://[::1]/abc",
    "https://localhost/abc",
    "https://169.254.169.254/latest/meta-data",
    "http://127.0.0.1:3080/api/kanban/tasks",
    "ws://fcm.googleapis.com/abc",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//fcm.googleapis.com/abc",
    "fcm.googleapis.com/abc",
    "",
    `https://fcm.googleapis.com/${"a".repeat(2_000)}`
  ])("of anybody else are refused: %s", (endpoint) => {
    assert.strictEqual(judgeEndpoint(endpoint, []), "refused")
    assert.strictEqual(judgeEndpoint(endpoint, ["https://push.example.org"]), "refused")
  })

  it("of the settings' origins are contacted, and of nothing beside them", () => {
    const allowed = ["https://push.example.org", "http://127.0.0.1:9000"]
    assert.strictEqual(judgeEndpoint("https://push.example.org/a", allowed), "trusted")
    assert.strictEqual(judgeEndpoint("http://127.0.0.1:9000/a", allowed), "trusted")
    for (const other of ["http://push.example.org/a", "http://127.0.0.1:9001/a", "http://localhost:9000/a"])
      assert.strictEqual(judgeEndpoint(other, allowed), "refused")
  })
})

describe("addresses that names resolve to", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.9.9.9",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2001::1",
    "64:ff9b::7f00:1",
    "localhost",
    "",
    "1.2.3"
  ])("are refused when they aren't out on the internet: %s", (address) => {
    assert.isFalse(isPublicAddress(address))
  })

  it.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "142.250.0.95", "2a00:1450:4001:80b::200a", "2606:4700::1"])(
    "are fine when they are: %s",
    (address) => {
      assert.isTrue(isPublicAddress(address))
    }
  )
})
