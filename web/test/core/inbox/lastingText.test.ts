import { assert, describe, it } from "@effect/vitest"
import { lastingText } from "../../../src/core/inbox/detailText.ts"
import type { InboxItem } from "../../../src/core/inbox/inboxTypes.ts"

const COMMAND: Pick<InboxItem, "actions" | "detail" | "kind"> = {
  kind: "approval",
  detail: "workspace · gateway",
  actions: [
    { id: "allow-once", label: "Allow once", needs: null },
    { id: "allow-always", label: "Always allow", needs: null },
    { id: "deny", label: "Deny", needs: null }
  ]
}

describe("what is always allowed", () => {
  it("is the command in its folder for gateways that keep both", () => {
    for (const version of ["2026.8.1", "2026.8.1-2", "2026.9.6", "2026.10.0", "2027.1.0"])
      assert.match(lastingText(COMMAND, version) ?? "", /this exact command in this folder/, version)
  })

  it("can be the whole program for older ones", () => {
    for (const version of ["2026.3.23-2", "2026.8.0", "2025.12.30", "no version"])
      assert.match(lastingText(COMMAND, version) ?? "", /Can cover this program with any arguments/, version)
  })

  it("is not shown for what is no command, can't be allowed for good, or is of an unknown gateway", () => {
    assert.isNull(lastingText(COMMAND, ""))
    assert.isNull(lastingText({ ...COMMAND, detail: "A tool of a plugin" }, "2026.9.6"))
    assert.isNull(lastingText({ ...COMMAND, detail: null }, "2026.9.6"))
    assert.isNull(lastingText({ ...COMMAND, kind: "review" }, "2026.9.6"))
    assert.isNull(lastingText({ ...COMMAND, actions: [{ id: "deny", label: "Deny", needs: null }] }, "2026.9.6"))
  })
})
