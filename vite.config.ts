import { defineConfig } from "vite"
import { leanHttp } from "./scripts/leanHttp.ts"
import { VERSION_DEFINES } from "./scripts/version.ts"

/** Bundles the server and the command line into `dist/cli.js` and lazily loaded chunks. */
export default defineConfig({
  define: VERSION_DEFINES,
  plugins: [leanHttp()],
  publicDir: false,
  ssr: { noExternal: ["effect", "@effect/platform-node", "@effect/platform-node-shared", "json5"] },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node24",
    minify: "esbuild",
    sourcemap: false,
    rollupOptions: {
      input: { cli: "src/cli/main.ts", usageThread: "src/services/usage/transcripts/scanThread.ts" },
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" }
    }
  }
})
