import { assert, it } from "@effect/vitest"
import type { InboxItem } from "../../../../src/contract/schema/inbox.ts"
import { openPage } from "../support/openPage.tsx"

const waiting = (item: Partial<InboxItem>): InboxItem => ({
  id: "one",
  gatewayId: "primary",
  kind: "approval",
  title: "ls",
  createdAt: 1,
  state: "open",
  actions: [
    { id: "allow-once", label: "Allow once" },
    { id: "allow-always", label: "Always allow" }
  ],
  ...item
})

const inboxOf = (item: InboxItem) =>
  openPage({ address: "/inbox", answers: { "GET /api/inbox": () => ({ items: [item], total: 1, open: 1 }) } })

it("shows every character of a command that waits for permission", async () => {
  const page = await inboxOf(
    waiting({ title: "mv a.txt \u202egnp.b\u202c && ls\u200b -l x\u00a0y", detail: "/home/\u2066ada\u2069 · gateway" })
  )
  const command = await page.find(".approval-what")
  assert.strictEqual(command.textContent, "mv a.txt ⟦U+202E⟧gnp.b⟦U+202C⟧ && ls⟦U+200B⟧ -l x⟦U+00A0⟧y")
  assert.deepStrictEqual(
    page.all(".approval-what .command-unseen").map((mark) => mark.textContent),
    ["⟦U+202E⟧", "⟦U+202C⟧", "⟦U+200B⟧", "⟦U+00A0⟧"]
  )
  await page.find(".approval-facts", "Runs on the gateway, in the folder /home/⟦U+2066⟧ada⟦U+2069⟧")
  await page.find("button", "Allow once")
})

it("leaves a command as it is whose characters are all seen", async () => {
  const page = await inboxOf(waiting({ title: "echo 'für 👩‍💻'  |  cat" }))
  const command = await page.find(".approval-what")
  assert.strictEqual(command.textContent, "echo 'für 👩‍💻'  |  cat")
  assert.strictEqual(page.all(".command-unseen").length, 0)
})

it.each([
  ["a device", { kind: "pairing", title: "Pho\u200bne" }, "Pho⟦U+200B⟧ne"],
  ["a result", { kind: "review", title: "A card", detail: "Ran `rm \u202egnp.b`" }, "rm ⟦U+202E⟧gnp.b"],
  [
    "a proposed card",
    { kind: "proposal", title: "New card: Pay\u2067 Bob", detail: "Réparer\u00a0!" },
    "Pay⟦U+2067⟧ Bob"
  ],
  ["a proposed change", { kind: "proposal", title: "Change “A”", detail: "title: B\u200bC", taskId: "t" }, "B⟦U+200B⟧C"]
] as const)("marks them in %s that waits to be approved", async (_, item, words) => {
  const page = await inboxOf(waiting({ ...item, actions: [{ id: "approve", label: "Approve" }] }))
  await page.find("[data-inbox-item]", words)
})
