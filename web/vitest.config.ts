import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { VERSION_DEFINES } from "../scripts/version.ts"
import { libraryParts } from "./build/libraryParts.ts"
import { qwikAsBuilt } from "./test/components/support/qwikAsBuilt.ts"

/** Tests that draw components with Qwik's own test renderer, without a browser. */
export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  define: VERSION_DEFINES,
  plugins: [libraryParts(), qwikAsBuilt()],
  test: {
    name: "components",
    include: ["web/test/components/**/*.component.tsx"],
    server: { deps: { inline: [/@builder\.io\/qwik/] } },
    testTimeout: 60_000
  }
})
