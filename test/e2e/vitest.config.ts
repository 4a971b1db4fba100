import { defineConfig } from "vitest/config"

/**
 * Drives the built console in a real browser. One file at a time: each has a server and a browser of its own, which
 * keep two cores busy.
 */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/e2e/**/*.e2e.ts"],
    globalSetup: ["test/e2e/support/buildFirst.ts"],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    maxWorkers: 1
  }
})
