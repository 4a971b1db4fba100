import { assert, it } from "@effect/vitest"
import type { DoctorCheck } from "../../../../src/contract/schema/machine.ts"
import { openPage } from "../support/openPage.tsx"

const CHECKS: ReadonlyArray<DoctorCheck> = [
  { id: "node", title: "Node", state: "ok", detail: "Version 24.21.0." },
  {
    id: "settings",
    title: "Settings",
    state: "warning",
    detail: "SVC_AUHT (.env, line 3) isn't a setting of the console.",
    fix: "Did you mean SVC_AUTH?"
  },
  {
    id: "settings",
    title: "Settings",
    state: "warning",
    detail: "PORT has changed since the console started.",
    fix: "Restart the console."
  }
]

it("shows each setting without effect, with what to do about it", async () => {
  const page = await openPage({
    address: "/settings/checks",
    answers: { "GET /api/doctor": () => ({ checks: CHECKS }) }
  })
  await page.find("[data-check=settings]", "PORT has changed since the console started.")
  assert.deepStrictEqual(
    page.all("[data-check=settings] .check-advice").map((advice) => advice.textContent),
    ["Did you mean SVC_AUTH?", "Restart the console."]
  )
  await page.find("[data-check=node]", "Version 24.21.0.")
})
