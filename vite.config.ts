import { defineConfig } from "vite"
import { licences } from "./scripts/licences.ts"
import { VERSION_DEFINES } from "./scripts/version.ts"

/** Bundles the server and the command line into `dist/cli.js` and lazily loaded chunks. */
export default defineConfig({
  // ws would look for two optional native packages that a bundle cannot hold.
  define: {
    ...VERSION_DEFINES,
    "process.env.WS_NO_BUFFER_UTIL": JSON.stringify("1"),
    "process.env.WS_NO_UTF_8_VALIDATE": JSON.stringify("1")
  },
  plugins: [licences()],
  publicDir: false,
  // Everything is in the bundle: an installed console resolves no packages when it starts.
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node24",
    minify: "oxc",
    sourcemap: false,
    rolldownOptions: {
      input: {
        cli: "src/cli/main.ts",
        checkpointThread: "src/services/platform/sqlite/checkpointThread.ts",
        searchThread: "src/services/search/store/searchThread.ts",
        usageThread: "src/services/usage/store/usageThread.ts",
        whisperProcess: "src/services/voice/stt/whisperProcess.ts"
      },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js"
      }
    }
  }
})
