import { component$ } from "@builder.io/qwik"
import { assert, describe, it } from "@effect/vitest"
import { OtherModel } from "../../../src/approvals/OtherModel.tsx"
import { openPage, until } from "../support/openPage.tsx"

const Part = component$(() => <OtherModel taskId="t1" gatewayId="primary" isDisabled={false} />)

const models = ["companion", "swift"].map((name) => ({ id: `demo/${name}`, label: name, provider: "demo" }))

describe("a failed run", () => {
  for (const [had, offered] of [
    [undefined, "swift"],
    ["demo/companion", "swift"],
    ["demo/swift", "companion"]
  ] as const)
    it(`with ${had ?? "the gateway's own model"} is offered again with ${offered}`, async () => {
      const page = await openPage({
        part: Part,
        answers: {
          "GET /api/gateway/models": () => ({ models }),
          "GET /api/kanban/tasks": () => ({ items: [{ id: "t1", ...(had === undefined ? {} : { model: had }) }] }),
          "POST /api/kanban/tasks/t1/execute": () => ({ ok: true })
        }
      })
      await page.press("button", `Run with ${offered}`)
      const run = await until(() => page.asked.find(({ request }) => request.startsWith("POST /api/kanban")))
      assert.deepStrictEqual(run.body, { model: `demo/${offered}` })
    })
})
