import { assert, describe, it } from "@effect/vitest"
import { keyParts, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { agentOfKey } from "../../../../src/services/conversations/history/agentOfKey.ts"
import { plainParams, qualifiedPayload } from "../../../src/core/gateways/gatewayView.ts"
import { safeImage } from "../../../src/core/text/safeHtml.ts"

describe("the key of a session among those of all gateways", () => {
  it("names its gateway, and a session of the primary one keeps its own", () => {
    for (const gatewayId of ["primary", "home", "a-1"]) {
      const key = "agent:main:cron:x:run:y"
      assert.deepStrictEqual(keyParts(qualifiedKey(gatewayId, key)), { gatewayId, key })
    }
    assert.strictEqual(qualifiedKey("home", "agent:main:main"), "@home:agent:main:main")
    assert.deepStrictEqual(keyParts("@Nobody:x"), { gatewayId: "primary", key: "@Nobody:x" })
  })
})

describe("the view of a gateway", () => {
  it("takes the gateway out of what is asked", () => {
    assert.deepStrictEqual(
      plainParams({
        sessionKey: "@home:agent:main:main",
        message: "@home:agent:main:main",
        sessionKeys: ["@home:a", 1]
      }),
      { sessionKey: "agent:main:main", message: "@home:agent:main:main", sessionKeys: ["a", 1] }
    )
  })

  it("puts it into responses and events, and nowhere else", () => {
    assert.deepStrictEqual(
      qualifiedPayload("home", {
        sessionKey: "agent:main:main",
        message: { key: "agent:main:main" },
        session: { key: "agent:main:sub", spawnedBy: "agent:main:main", label: "agent:main:main" }
      }),
      {
        sessionKey: "@home:agent:main:main",
        message: { key: "agent:main:main" },
        session: { key: "@home:agent:main:sub", spawnedBy: "@home:agent:main:main", label: "agent:main:main" }
      }
    )
    assert.deepStrictEqual(qualifiedPayload("home", { sessions: [{ key: "a", parentSessionKey: "b" }, null], ts: 1 }), {
      sessions: [{ key: "@home:a", parentSessionKey: "@home:b" }, null],
      ts: 1
    })
    assert.strictEqual(qualifiedPayload("home", "text"), "text")
  })
})

it("a picture of an added gateway's agent is never looked for among the console's own files", () => {
  const agent = agentOfKey("@home:agent:main:main")
  assert.isNull(safeImage("chart.png", agent))
  assert.isNull(safeImage("/root/.openclaw/workspace/chart.png", agent))
  assert.isNotNull(safeImage("chart.png", agentOfKey("agent:main:main")))
})
