import { assert, describe, it } from "@effect/vitest"
import {
  belongs,
  envWithoutSecrets,
  gatewaysWithoutSecrets
} from "../../../../src/services/machine/backup/backupContents.ts"
import { pathProblem, restoredPlace, stampOf } from "../../../../src/services/machine/backup/backupManifest.ts"

describe("what an archive holds", () => {
  it.each([
    "console.db",
    "gateways.json",
    "device-identity.json",
    "uploads",
    "agent-log.json",
    "search.json",
    "x.tar.gz"
  ])("%s", (name) => assert.isTrue(belongs(name, false)))
  it.each([
    ...["console.lock", "console.lock.json", "local-access.json", "backups", "restored", "updater", "models"],
    ...[
      "search.db",
      "search.db-wal",
      "usage.db",
      "usage-work.db",
      "usage-work.db-shm",
      "console.db-wal",
      "console.db-shm"
    ],
    ...[
      "last-backup.json",
      "started-in.json",
      ".unfinished-12-ab",
      ".a.json.0123.tmp",
      ".before-20261128-054014",
      ".restore-ready-20261128-054014",
      "20261128-054014.tar.gz"
    ]
  ])("not %s", (name) => assert.isFalse(belongs(name, false)))
  it.each(["device-identity.json", "push-key.json", "gateways.json.damaged-1", "certs"])(
    "without secrets not %s",
    (name) => assert.deepStrictEqual([belongs(name, false), belongs(name, true)], [true, false])
  )
})

describe("settings without secrets", () => {
  it.each([
    ["a token", "PORT=1\nGATEWAY_TOKEN=abc\nHOST=x\n", "PORT=1\nHOST=x\n"],
    ["the last line", "PORT=1\nSVC_PASSWORD_HASH=abc", "PORT=1\n"],
    ["several lines", "A=1\nNOTIFY_SECRET='a\nb=c\nd'\nB=2\n", "A=1\nB=2\n"],
    ["export and blanks", "  export VENDOR_A_API_KEY = abc # mine\nA=1\n", "A=1\n"],
    ["a line that is switched off", "# GATEWAY_TOKEN=old\n# a comment\n", "# a comment\n"],
    ["an address with a password", "BOARD_URL=postgres://a:b@c/d\nX=https://u:p@h/\nA=http://h/\n", "A=http://h/\n"],
    ["a value that is elsewhere, too", "GATEWAY_TOKEN=abcdefgh\nMINE=x-abcdefgh\nA=1\n", "A=1\n"],
    ["Windows line ends", "SVC_SESSION_SECRET=abc\r\nA=1\r\n", "A=1\r\n"],
    ["where a secret is, not what it is", "GATEWAY_TOKEN_FILE=/run/token\n", "GATEWAY_TOKEN_FILE=/run/token\n"]
  ])("%s", (_, text, kept) => assert.strictEqual(envWithoutSecrets(text), kept))

  it("the gateways' tokens", () => {
    const text = JSON.stringify([{ id: "a", name: "Ä", url: "http://h", token: "secret" }])
    assert.strictEqual(gatewaysWithoutSecrets(text), '[{"id":"a","name":"Ä","url":"http://h","token":""}]\n')
    assert.isUndefined(gatewaysWithoutSecrets("{"))
  })
})

describe("paths", () => {
  it.each(["svc/a", "svc/..a/b..", "a/ b"])("%s is fine", (path) => assert.isUndefined(pathProblem(path)))
  it.each(["", "/a", "a//b", "./a", "a/.", "..", "a/../b", "a/", "a\0b", `a/${"b".repeat(256)}`])("%j isn't", (path) =>
    assert.isDefined(pathProblem(path))
  )
  it("have their places in the restored folder, and moments their names", () => {
    assert.deepStrictEqual(["svc/a/b", "settings/.env", "gateway/x"].map(restoredPlace), [
      "a/b",
      "restored/settings/.env",
      "restored/gateway/x"
    ])
    assert.strictEqual(stampOf("2026-11-28T05:40:14.123Z"), "20261128-054014")
  })
})
