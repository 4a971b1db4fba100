import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as delay } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"

const MODULE = fileURLToPath(new URL("../../../scripts/gateway/whenToStop.ts", import.meta.url))

/** A program that never gets done with its end. */
const HANGS = `
  import { whenToStop } from ${JSON.stringify(MODULE)}
  whenToStop().addEventListener("abort", () => console.log("asked"))
  setInterval(() => {}, 1_000)
  console.log("ready")
`

it("who is asked to end once gets done with it, and who is asked again ends at once", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", HANGS], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let said = ""
  child.stdout.on("data", (data: Buffer) => {
    said += String(data)
  })
  const ended = once(child, "exit")
  while (!said.includes("ready")) await delay(20)
  child.kill("SIGINT")
  while (!said.includes("asked")) await delay(20)
  assert.isNull(child.exitCode)
  while (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGINT")
    await delay(50)
  }
  assert.deepStrictEqual(await ended, [130, null])
  assert.strictEqual(said, "ready\nasked\n")
})
