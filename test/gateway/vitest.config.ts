import { defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "../../scripts/version.ts"
import { PROJECT_ROOT } from "./support/projectRoot.ts"

export default defineConfig({
  define: VERSION_DEFINES,
  test: {
    root: PROJECT_ROOT,
    include: ["test/gateway/**/*.test.ts", "web/test/gateway/**/*.live.ts", "test/e2e/gateway/**/*.live.ts"],
    globalSetup: ["test/gateway/support/globalSetup.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000
  }
})
