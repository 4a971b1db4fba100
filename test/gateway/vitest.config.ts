import { defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "../../scripts/version.ts"
import { findGatewayScript, PROJECT_ROOT } from "./support/gatewayScript.ts"

const there = findGatewayScript() !== undefined
if (!there) console.log("0 tests: no script that starts a gateway was found (set AGENT_GATEWAY_SCRIPT to its path)")

export default defineConfig({
  define: VERSION_DEFINES,
  test: {
    root: PROJECT_ROOT,
    include: there
      ? ["test/gateway/**/*.test.ts", "web/test/gateway/**/*.live.ts", "test/e2e/gateway/**/*.live.ts"]
      : [],
    passWithNoTests: !there,
    globalSetup: there ? ["test/gateway/support/globalSetup.ts"] : [],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000
  }
})
