import { fileURLToPath } from "node:url"
import { qwikVite } from "@builder.io/qwik/optimizer"
import { defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "../scripts/version.ts"
import { iconShapes } from "./build/iconShapes.ts"

/** Tests that draw components with Qwik's own test renderer, without a browser. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  define: VERSION_DEFINES,
  plugins: [
    iconShapes(),
    qwikVite({ csr: true, entryStrategy: { type: "inline" }, devTools: { clickToSource: false } }),
    // As people get it: only Qwik's development build refuses services in a context, for pages drawn by a server.
    { name: "qwik-as-built", enforce: "post", config: () => ({ define: { "globalThis.qDev": "false" } }) }
  ],
  test: {
    name: "components",
    include: ["web/test/components/**/*.component.tsx"],
    testTimeout: 15_000
  }
})
