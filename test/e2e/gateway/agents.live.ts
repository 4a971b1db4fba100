import { randomUUID } from "node:crypto"
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, inject, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldsOf, recordsOf, textOf } from "../../../src/contract/looseFields.ts"
import { startConsole } from "../../gateway/support/consoleProcess.ts"
import { describeOn } from "../../gateway/support/describeOn.ts"
import { startGateway } from "../../gateway/support/realGateway.ts"
import { temporaryDirectory } from "../../gateway/support/temporaryDirectory.ts"
import { gatewayCall } from "../support/gatewayHistory.ts"
import { jsonCalls } from "../support/jsonCalls.ts"

/** The instruction of the gateway's model: write a day's notes with the agent's own tool. */
const NOTES = { path: "memory/2026-05-04.md", content: "## Harbour\n\n- Saw the old lighthouse\n" }
const WRITE = `Write it down. [[mock:tool=write ${JSON.stringify(NOTES)}]] [[mock:text=Written.]]`

/** Reads the console's event stream until an event has all of these texts. */
const eventWith = async (url: string, texts: ReadonlyArray<string>): Promise<string> => {
  const { body } = await fetch(`${url}/api/events`)
  let text = ""
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString()
    const found = text.split("\n").find((line) => texts.every((wanted) => line.includes(wanted)))
    if (found !== undefined) return found
  }
  throw new Error(`the stream ended without ${texts.join(", ")}`)
}

/** Asks again until the answer is as wanted; the test's own limit ends it. */
const until = async <A>(ask: () => Promise<A>, isIt: (answer: A) => boolean): Promise<A> => {
  for (;;) {
    const answer = await ask()
    if (isIt(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

for (const offered of inject("gateways")) {
  const { version } = offered
  const isOld = version === "2026.3.23-2"

  describeOn(offered)(`several agents of gateway ${version}`, () => {
    it.live("have memory, documents and files of their own, read and edited in the console", () =>
      Effect.gen(function* () {
        const elsewhere = yield* temporaryDirectory
        // One agent without a workspace of its own in the configuration, one far from the gateway's folder.
        const configured = [
          { id: "main", default: true },
          { id: "plain", name: "Plain one" },
          { id: "far", workspace: elsewhere }
        ]
        const entries = Object.fromEntries(configured.map(({ id, ...rest }) => [id, rest]))
        const set = isOld
          ? [`agents.list=${JSON.stringify(configured)}`]
          : [
              `agents.entries=${JSON.stringify({ ...entries, main: {} })}`,
              'agents.ownership="explicit"',
              'agents.defaults.systemAgent={"agentId":"main"}'
            ]
        const gateway = yield* startGateway({ version, extra: set.flatMap((one) => ["--set", one]) })
        const console = yield* startConsole({
          GATEWAY_URL: gateway.url,
          GATEWAY_TOKEN: gateway.token,
          GATEWAY_HOME: gateway.gatewayHome
        })
        const { url } = console
        const send = jsonCalls(console)
        const agents = async () => recordsOf(fieldsOf(await send("GET", "/api/agents")).agents)
        const fileOf = async (agentId: string, name: string) =>
          textOf(fieldsOf(fieldsOf(await gatewayCall(url, "agents.files.get", { agentId, name })).file).content)

        yield* Effect.promise(async () => {
          await until(
            () => send("GET", "/health"),
            (health) => fieldsOf(health).gateway === "ok"
          )
          const listed = await until(agents, (all) => all.length === 3)
          assert.deepStrictEqual(
            listed.map(({ id, isDefault, workspace }) => [id, isDefault, workspace]),
            [
              ["main", true, "ready"],
              ["far", false, "unavailable"],
              ["plain", false, "new"]
            ]
          )
          assert.include(textOf(listed[1]?.details), "is outside the gateway's folder")
          assert.deepStrictEqual(fieldsOf(await send("GET", "/api/files/tree?agent=far")).error, "forbidden")

          const made = fieldsOf(
            await gatewayCall(url, "agents.create", {
              name: "helper",
              ...(isOld ? { workspace: join(gateway.gatewayHome, "workspace-helper") } : {})
            })
          )
          assert.strictEqual(made.agentId, "helper")
          const place = String(made.workspace)
          await until(agents, (all) => all.some(({ id, workspace }) => id === "helper" && workspace === "ready"))

          const heard = eventWith(url, ["memory.changed", '"file":"2026-05-04.md"', '"agent":"helper"'])
          await gatewayCall(url, "chat.send", {
            sessionKey: `agent:helper:test-${randomUUID()}`,
            message: WRITE,
            idempotencyKey: randomUUID()
          })
          const memories = async () => recordsOf(await send("GET", "/api/memories?agent=helper"))
          await until(memories, (all) => all.some(({ text }) => text === "Harbour"))
          assert.include(await heard, '"source":"file"')
          assert.isFalse(recordsOf(await send("GET", "/api/memories")).some(({ text }) => text === "Harbour"))
          const day = "/api/memories/section?agent=helper&title=Harbour&date=2026-05-04"
          assert.include(textOf(fieldsOf(await send("GET", day)).content), "Saw the old lighthouse")

          await send("POST", "/api/memories?agent=helper", { text: "Drinks tea", section: "Drinks" })
          assert.include(await fileOf("helper", "MEMORY.md"), "- Drinks tea")
          assert.isNull(await fileOf("main", "MEMORY.md"))

          const soul = textOf(fieldsOf(await send("GET", "/api/workspace/soul?agent=helper")).content)
          assert.strictEqual(soul, await fileOf("helper", "SOUL.md"), "what the gateway itself wrote")
          await send("PUT", "/api/workspace/soul?agent=helper", { content: "Speaks like a sailor.\n" })
          assert.strictEqual(await fileOf("helper", "SOUL.md"), "Speaks like a sailor.\n")

          await send("POST", "/api/files/write?agent=helper", { path: "log.md", content: "fair wind", mtime: 0 })
          assert.strictEqual(readFileSync(join(place, "log.md"), "utf8"), "fair wind")
          const read = fieldsOf(await send("GET", "/api/files/read?agent=helper&path=log.md"))
          assert.strictEqual(read.content, "fair wind")
          assert.isFalse(existsSync(join(gateway.gatewayHome, "workspace", "log.md")))

          // The first save makes the folder where the gateway will look for it.
          await send("PUT", "/api/workspace/user?agent=plain", { content: "Ada" })
          assert.strictEqual(await fileOf("plain", "USER.md"), "Ada")

          mkdirSync(join(place, "drawings"))
          const tree = recordsOf(await send("GET", "/api/files/tree?agent=helper"))
          assert.include(
            tree.map(({ name }) => name),
            "drawings"
          )
        })
      }).pipe(Effect.scoped)
    )
  })
}
