import { assert, describe, it } from "@effect/vitest"
import type { Skill } from "../../../../src/contract/schema/gateway.ts"
import { findSkills, readSkills } from "../../../src/core/operations/skills.ts"

const named = (fields: Partial<Skill>): Skill => ({
  name: "x",
  description: "",
  emoji: "",
  eligible: false,
  disabled: false,
  blockedByAllowlist: false,
  bundled: false,
  source: "",
  homepage: "",
  ...fields
})

const skill = (fields: Partial<Skill>) => {
  const [read] = readSkills({ ok: true, skills: [named(fields)] })
  if (read === undefined) throw new Error("the skill isn't listed")
  return read
}

describe("a skill", () => {
  it("that can be used needs no reasons", () => {
    const ready = skill({ eligible: true, missing: { bins: ["gh"] }, install: [{ label: "Install" }] })
    assert.deepInclude(ready, { state: "ready", reasons: [], install: [] })
  })

  it("lists everything that is missing and how to install it", () => {
    const missing = skill({
      missing: { bins: ["gh"], anyBins: ["rg", "grep"], env: ["A_KEY", "B_KEY"], config: ["tools.x"], os: ["darwin"] },
      install: [{ id: "brew", kind: "brew", label: "Install GitHub CLI (brew)" }]
    })
    assert.strictEqual(missing.state, "missing")
    assert.deepStrictEqual(missing.reasons, [
      "Needs the program gh on the gateway's machine.",
      "Needs one of these programs on the gateway's machine: rg, grep.",
      "Needs the environment variables A_KEY, B_KEY on the gateway.",
      "Needs the setting tools.x in the gateway's configuration.",
      "Only works on macOS."
    ])
    assert.deepStrictEqual(missing.install, [{ label: "Install GitHub CLI (brew)", kind: "brew" }])
  })

  it("that is off, blocked or refused without a word says so", () => {
    assert.deepInclude(skill({ disabled: true }), {
      state: "off",
      reasons: ["Turned off in the gateway's configuration."]
    })
    assert.strictEqual(skill({ blockedByAllowlist: true, eligible: false }).state, "blocked")
    assert.strictEqual(skill({}).state, "unavailable")
  })

  it("that can't be used has a command for the gateway's machine, unless its name isn't plain", () => {
    const install = [{ label: "Install GitHub CLI (brew)" }]
    assert.isNull(skill({ name: "gh", eligible: true }).command)
    assert.strictEqual(skill({ name: "gh", missing: { bins: ["gh"] }, install }).command, "openclaw skills info gh")
    assert.strictEqual(
      skill({ name: "gh", disabled: true }).command,
      "openclaw config set skills.entries.gh.enabled true"
    )
    assert.isNull(skill({ name: "a; rm -rf ~", disabled: true }).command)
  })

  it("links only to web addresses", () => {
    assert.strictEqual(skill({ homepage: "https://example.org/a" }).homepage, "https://example.org/a")
    for (const homepage of ["javascript:alert(1)", "data:text/html,x", "https://", ""])
      assert.isNull(skill({ homepage }).homepage)
  })
})

describe("the skills", () => {
  it("come with the usable ones first", () => {
    const skills = [{ name: "b" }, { name: "off", disabled: true }, { name: "z", eligible: true }].map(named)
    assert.deepStrictEqual(
      readSkills({ ok: true, skills }).map(({ name }) => name),
      ["z", "b", "off"]
    )
  })

  it("are found by words and state", () => {
    const skills = [
      skill({ name: "weather", description: "Looks up the forecast" }),
      skill({ name: "notes", eligible: true })
    ]
    const names = (search: string, state: "all" | "ready") => findSkills(skills, search, state).map(({ name }) => name)
    assert.deepStrictEqual(names(" FORE look", "all"), ["weather"])
    assert.deepStrictEqual(names("", "ready"), ["notes"])
    assert.deepStrictEqual(names("", "all"), ["weather", "notes"])
  })
})
