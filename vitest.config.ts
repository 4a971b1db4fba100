import { configDefaults, defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "./scripts/version.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** What the boards of `*.stores.test.ts` stand on. */
    readonly boardStore: "SQLite" | "PostgreSQL"
  }
}

const TESTS = ["test/**/*.test.ts", "practice-gateway/test/**/*.test.ts", "web/test/**/*.test.ts"]
/** Takes its time: whole processes are started, killed, updated, built or mounted, or programs from elsewhere take part. */
const SYSTEM = "**/*.system.test.ts"
/** The same tests on every kind of store: SQLite's are unit tests, PostgreSQL's start a server. */
const STORES = "**/*.stores.test.ts"

export default defineConfig({
  define: VERSION_DEFINES,
  test: {
    // For what hangs: on a busy machine everything takes many times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: "100%",
    // Node strips types with WebAssembly that V8 shares between threads, and V8 13.6 can crash the process when it
    // optimises that code's calls while another thread ends. Only the sources need this: the build has no types.
    execArgv: ["--wasm-wrapper-tiering-budget=2147483647"],
    reporters: ["default", "./test/support/slowestFiles.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: TESTS,
          exclude: [...configDefaults.exclude, "test/gateway/**", SYSTEM],
          provide: { boardStore: "SQLite" },
          isolate: false,
          setupFiles: ["test/support/leaveNothing.ts"]
        }
      },
      {
        extends: true,
        test: {
          name: "system",
          include: [SYSTEM, STORES],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          provide: { boardStore: "PostgreSQL" }
        }
      },
      "web/vitest.config.ts"
    ]
  }
})
