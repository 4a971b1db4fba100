import { defineConfig } from "vite"
import { commonJsFolder } from "./scripts/commonJsFolder.ts"
import { lazyBuiltins } from "./scripts/lazyBuiltins.ts"
import { leanHttp } from "./scripts/leanHttp.ts"
import { licences } from "./scripts/licences.ts"
import { narrowChunks } from "./scripts/narrowChunks.ts"
import { VERSION_DEFINES } from "./scripts/version.ts"

/** Bundles the server and the command line into `dist/cli.js` and lazily loaded chunks. */
export default defineConfig({
  // ws would look for two optional native packages that a bundle cannot hold.
  define: {
    ...VERSION_DEFINES,
    "process.env.WS_NO_BUFFER_UTIL": JSON.stringify("1"),
    "process.env.WS_NO_UTF_8_VALIDATE": JSON.stringify("1")
  },
  plugins: [leanHttp(), lazyBuiltins(), narrowChunks(), commonJsFolder(), licences()],
  // One character outside Latin-1 makes V8 keep the whole text of a chunk at two bytes a character.
  esbuild: { charset: "ascii" },
  publicDir: false,
  // Everything is in the bundle: an installed console resolves no packages when it starts.
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: "dist",
    emptyOutDir: false,
    target: "node24",
    minify: "esbuild",
    sourcemap: false,
    rollupOptions: {
      input: {
        cli: "src/cli/main.ts",
        searchThread: "src/services/search/store/searchThread.ts",
        usageThread: "src/services/usage/store/usageThread.ts",
        whisperProcess: "src/services/voice/stt/whisperProcess.ts"
      },
      output: {
        format: "cjs",
        dynamicImportInCjs: false,
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js"
      }
    }
  }
})
