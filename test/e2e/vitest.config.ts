import { defineConfig } from "vitest/config"

/** Drives the built console in a real browser. Two files at a time: each has a server and a browser of its own. */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/e2e/**/*.e2e.ts"],
    globalSetup: ["test/e2e/support/buildFirst.ts"],
    testTimeout: 45_000,
    hookTimeout: 60_000,
    // A browser on a busy machine may miss a deadline once; the runner names every test that needed its second try.
    retry: 1,
    maxWorkers: 2
  }
})
