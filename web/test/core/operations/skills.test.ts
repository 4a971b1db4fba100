import { assert, describe, it } from "@effect/vitest"
import { findSkills, readSkill, readSkills } from "../../../src/core/operations/skills.ts"

const skill = (fields: object) => {
  const read = readSkill({ name: "x", eligible: false, ...fields })
  if (read === null) throw new Error("the skill cannot be read")
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
      install: [{ id: "brew", kind: "brew", label: "Install GitHub CLI (brew)" }, { id: "odd" }, "odd"]
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
    assert.strictEqual(skill({ missing: "odd", install: 7 }).state, "unavailable")
  })

  it("links only to web addresses", () => {
    assert.strictEqual(skill({ homepage: "https://example.org/a" }).homepage, "https://example.org/a")
    for (const homepage of ["javascript:alert(1)", "data:text/html,x", "https://", "", 7])
      assert.isNull(skill({ homepage }).homepage)
  })
})

describe("the skills", () => {
  it("come with the usable ones first, and odd rows left out", () => {
    const skills = readSkills({
      skills: [{ name: "b" }, { name: "off", disabled: true }, null, {}, { name: "z", eligible: true }, "odd"]
    })
    assert.deepStrictEqual(
      skills?.map(({ name }) => name),
      ["z", "b", "off"]
    )
    assert.isNull(readSkills({ skills: "none" }))
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
