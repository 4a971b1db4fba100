import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  launchdPlist,
  quoteForSystemd,
  servicePath,
  systemdUnit
} from "../../../../src/services/machine/service-manager/serviceFiles.ts"

const service = {
  node: process.execPath,
  script: "/srv/agent console/dist/cli.js",
  directory: "/srv/agent console",
  logFile: "/home/alice/.agent-console/console.log",
  user: "alice",
  path: "/home/alice/.local/bin:/usr/bin:/bin"
}

describe("the unit of systemd", () => {
  it("runs the console in the folder of its settings, again after a failure, and is closed in", () => {
    const unit = systemdUnit(service, "user")
    assert.include(unit, "WorkingDirectory=/srv/agent console\n")
    assert.include(unit, `ExecStart="${process.execPath}" "/srv/agent console/dist/cli.js" "serve"\n`)
    assert.include(unit, "Restart=on-failure\n")
    assert.include(unit, "NoNewPrivileges=yes\n")
    assert.include(unit, "WantedBy=default.target\n")
    assert.notInclude(unit, "User=")
    assert.notInclude(unit, "CapabilityBoundingSet")
  })

  it("finds the programs that the shell finds which installed it", () => {
    assert.include(systemdUnit(service, "user"), 'Environment="PATH=/home/alice/.local/bin:/usr/bin:/bin"\n')
    assert.include(
      systemdUnit({ ...service, path: '/a "b" 100% $c' }, "user"),
      'Environment="PATH=/a \\"b\\" 100%% $c"\n'
    )
    assert.notInclude(systemdUnit({ ...service, path: undefined }, "user"), "Environment")
    assert.match(launchdPlist(service), /<key>PATH<\/key><string>\/home\/alice\/\.local\/bin:/)
  })

  it("leaves out of its PATH what means something else elsewhere, and what npm adds", () => {
    assert.strictEqual(
      servicePath("/srv/console/node_modules/.bin:/home/a/.local/bin:.:bin::/usr/bin:/home/a/.local/bin"),
      "/home/a/.local/bin:/usr/bin"
    )
    assert.isUndefined(servicePath(""))
    assert.isUndefined(servicePath(undefined))
  })

  it("of the system runs it as its user, without any right of root's", () => {
    const unit = systemdUnit(service, "system")
    for (const line of ["User=alice", "CapabilityBoundingSet=", "ProtectSystem=full", "WantedBy=multi-user.target"]) {
      assert.include(unit, `${line}\n`)
    }
    assert.notInclude(unit, "MemoryDenyWriteExecute")
  })

  it("takes every path as it is", () => {
    assert.strictEqual(quoteForSystemd('a "b" \\ 100% $HOME'), '"a \\"b\\" \\\\ 100%% $$HOME"')
    assert.include(systemdUnit({ ...service, directory: "/srv/100%" }, "user"), "WorkingDirectory=/srv/100%%\n")
  })

  const hasAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0
  if (!hasAnalyze) console.log("left out: `systemd-analyze verify`, because systemd is not installed here")

  it.skipIf(!hasAnalyze).each(["user", "system"] as const)(
    "is content for `systemd-analyze verify` (%s, needs systemd-analyze)",
    (scope) => {
      const folder = mkdtempSync(join(tmpdir(), "agent-console-unit-"))
      try {
        const file = join(folder, "agent-console.service")
        const directory = join(folder, "with a blank")
        mkdirSync(directory)
        writeFileSync(file, systemdUnit({ ...service, directory, user: "root" }, scope))
        const { stdout, stderr, status } = spawnSync("systemd-analyze", ["verify", `--${scope}`, file], {
          encoding: "utf8",
          env: { ...process.env, XDG_RUNTIME_DIR: folder }
        })
        assert.strictEqual(status, 0, stderr)
        const complaints = `${stdout}${stderr}`.split("\n").filter((line) => line.includes("agent-console"))
        assert.deepStrictEqual(complaints, [])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  )
})

describe("the property list of launchd", () => {
  it("runs the console at sign-in and again after a failure, its log for its user alone", () => {
    const plist = launchdPlist(service)
    assert.match(
      plist,
      /<key>ProgramArguments<\/key>\s*<array>\s*<string>[^<]*<\/string>\s*<string>\/srv\/agent console\/dist/
    )
    assert.include(plist, "<key>Umask</key><integer>63</integer>")
    assert.include(plist, "<key>SuccessfulExit</key><false/>")
  })

  it("takes every path as it is", () => {
    assert.include(
      launchdPlist({ ...service, directory: `/a&b<c>"d"'e'` }),
      "/a&amp;b&lt;c&gt;&quot;d&quot;&apos;e&apos;"
    )
  })

  it("is XML", () => {
    const plist = launchdPlist({ ...service, directory: "/a&b" })
    const names = [...plist.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)].filter(
      ([, , , selfClosing]) => selfClosing !== "/"
    )
    const open: Array<string> = []
    for (const [, closing, name = ""] of names) {
      if (closing === "/") assert.strictEqual(open.pop(), name)
      else open.push(name)
    }
    assert.deepStrictEqual(open, [])
  })
})
