import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeJsonApp } from "../support/gatewayApp.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rules = join(root, "deploy/prometheus/agent-console.rules.yml")
const read = (name: string) => readFileSync(join(root, name), "utf8")

/** The words of PromQL that aren't metrics. */
const KEYWORDS = new Set(["and", "or", "unless", "by", "without", "on", "ignoring", "bool", "offset"])

/** The metrics that an expression uses: names that are neither labels, texts, functions nor words of the language. */
const metricsIn = (expression: string): ReadonlyArray<string> =>
  [
    ...expression
      .replace(/"[^"]*"/g, "")
      .replace(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, " ")
      .matchAll(/([a-zA-Z_:][\w:]*)(\s*\()?/g)
  ].flatMap(([, name = "", call]) => (call !== undefined || KEYWORDS.has(name) ? [] : [name]))

const Target = Schema.Struct({ expr: Schema.String })
const Dashboard = Schema.fromJsonString(
  Schema.Struct({
    panels: Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        title: Schema.String,
        description: Schema.String,
        gridPos: Schema.Struct({ x: Schema.Int, y: Schema.Int, w: Schema.Int, h: Schema.Int }),
        targets: Schema.Array(Target)
      })
    ),
    templating: Schema.Struct({
      list: Schema.Array(Schema.Struct({ name: Schema.String, definition: Schema.optionalKey(Schema.String) }))
    })
  })
)
const dashboard = Schema.decodeUnknownSync(Dashboard)(read("deploy/grafana/agent-console.json"))

/** The expressions of the alert rules, folded ones too. */
const alerts = [...readFileSync(rules, "utf8").matchAll(/^ {8}expr: (?:>-\n((?: {10}.+\n)+)|(.+)\n)/gm)].map(
  ([, folded, plain]) => folded ?? plain ?? ""
)

const exported = Effect.gen(function* () {
  const app = yield* makeJsonApp()
  yield* app.send("GET", "/api/version")
  const answer = yield* app.request("/metrics")
  const lines = (yield* Effect.promise(() => answer.text())).split("\n")
  return new Set(lines.filter((line) => !line.startsWith("#")).map((line) => /^\w*/.exec(line)?.[0] ?? ""))
})

describe("the dashboard and the alert rules", () => {
  it("finds the metrics in an expression", () => {
    assert.deepStrictEqual(
      metricsIn('sum by (le, x) (rate(a_bucket{s="5xx", t=~"b|c"}[5m])) / on(i) b > 0.05 and time() - c > 2'),
      ["a_bucket", "b", "c"]
    )
  })

  it.effect("use only metrics that the console exports", () =>
    Effect.gen(function* () {
      const there = yield* exported
      assert.isAtLeast(alerts.length, 10)
      const used = [
        ...alerts,
        ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
        ...dashboard.templating.list.flatMap(({ definition }) => definition?.replace(/, *instance\)/, ")") ?? [])
      ].flatMap(metricsIn)
      for (const name of used) {
        // Prometheus makes this one itself.
        if (name !== "up") assert.include([...there], name)
      }
    })
  )

  it("shows every panel in a place of its own", () => {
    const cells = new Set<string>()
    for (const { description, gridPos, title } of dashboard.panels) {
      assert.notStrictEqual(description, "", title)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.isFalse(cells.has(`${x} ${y}`), title)
          assert.isBelow(x, 24, title)
          cells.add(`${x} ${y}`)
        }
      }
    }
  })
})

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0
if (!hasPromtool) console.log("left out: promtool is not installed here")

describe.runIf(hasPromtool)("the alert rules in Prometheus (needs promtool)", () => {
  it("are valid", () => {
    const { status, stderr } = spawnSync("promtool", ["check", "rules", rules], { encoding: "utf8" })
    assert.strictEqual(status, 0, stderr)
  })

  it("fire for what they are about, and only then", () => {
    const folder = mkdtempSync(join(tmpdir(), "agent-console-rules-"))
    try {
      const file = join(folder, "rules.test.yml")
      writeFileSync(file, read("test/deploy/support/rules.test.yml").replace("RULES", rules))
      const { status, stderr, stdout } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" })
      assert.strictEqual(status, 0, `${stdout}${stderr}`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
