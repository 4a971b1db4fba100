import { defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "./scripts/version.ts"

export default defineConfig({
  define: VERSION_DEFINES,
  test: {
    include: ["test/**/*.test.ts", "web/test/**/*.test.ts"],
    exclude: ["test/e2e/**", "test/gateway/**", "node_modules/**", "dist/**"],
    testTimeout: 15_000
  }
})
