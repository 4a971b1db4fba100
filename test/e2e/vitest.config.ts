import { defineConfig } from "vitest/config"

/**
 * Drives the built console in a real browser. Two workers keep two cores busy; each keeps its browser from file to
 * file, which is why files share a worker's modules.
 */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/e2e/**/*.e2e.ts"],
    globalSetup: ["test/e2e/support/buildFirst.ts"],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    isolate: false,
    maxWorkers: 2
  }
})
