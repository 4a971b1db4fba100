import { assert, describe, it } from "@effect/vitest"
import { parseGitConfig } from "../../../../src/services/knowledge/git/gitConfig.ts"
import { formatOf, ownSettings } from "../../../../src/services/knowledge/git/ownSettings.ts"

const config = (text: string) => parseGitConfig(text) ?? assert.fail(`not read: ${text}`)
const format = (text: string) => formatOf(config(text))
const core = (version: number, more = "") => `[core]\nrepositoryformatversion = ${version}\n${more}`

describe("ownSettings", () => {
  it("knows the formats it can read, and no other", () => {
    const plain = { hash: "sha1", refs: "files", isBare: false, hasTreeSettings: false }
    assert.deepStrictEqual(format(""), plain)
    assert.deepStrictEqual(format(core(0, "bare = yes\n")), { ...plain, isBare: true })
    assert.deepStrictEqual(format(core(1, "[extensions]\nobjectFormat = sha256\nworktreeConfig = on")), {
      ...plain,
      hash: "sha256",
      hasTreeSettings: true
    })
    assert.deepStrictEqual(format(core(1, "[extensions]\nrefStorage = reftable\npartialClone = x")), {
      ...plain,
      refs: "reftable"
    })
    for (const text of [
      core(2),
      core(0, "[extensions]\nobjectFormat = sha256"),
      core(1, "[extensions]\nobjectFormat = md5"),
      core(1, "[extensions]\nsomethingNew = true")
    ]) {
      assert.isUndefined(format(text), text)
    }
  })

  it("takes over values it knows from the last that has one, and nothing else", () => {
    const hostile = [
      "[core]",
      "fileMode = off",
      "autocrlf = input",
      'eol = "lf\\n[filter \\"evil\\"]\\n\\tclean = /trap"',
      "fsmonitor = /trap",
      "excludesFile = /secret",
      "attributesFile = /secret",
      "worktree = /secret",
      "hooksPath = /trap",
      "sshCommand = /trap",
      "bare = false"
    ].join("\n")
    const plain = format("") ?? assert.fail("not read")
    const text = ownSettings(
      plain,
      [config("[core]\nautocrlf = true\neol = crlf\n"), config(hostile)],
      '/my "own"\\file'
    )
    assert.notInclude(text, "trap")
    assert.notInclude(text, "secret")
    assert.notInclude(text, "filter")
    const own = config(text)
    assert.strictEqual(own.get("core.filemode"), "false")
    assert.strictEqual(own.get("core.autocrlf"), "input")
    assert.strictEqual(own.get("core.eol"), "crlf")
    assert.strictEqual(own.get("core.fsmonitor"), "false")
    assert.strictEqual(own.get("core.attributesfile"), "/dev/null")
    assert.strictEqual(own.get("core.excludesfile"), '/my "own"\\file')
    assert.strictEqual(own.get("core.repositoryformatversion"), "0")
    const wide = config(ownSettings({ ...plain, hash: "sha256" }, [], ""))
    assert.strictEqual(wide.get("core.repositoryformatversion"), "1")
    assert.strictEqual(wide.get("extensions.objectformat"), "sha256")
  })
})
