import { qwikVite } from "@builder.io/qwik/optimizer"
import type { Plugin, PluginOption } from "vite"
import { changedCore } from "./qwikCore.ts"

const PRELOADER = "@builder.io/qwik/preloader"
const NO_PRELOADER = "\0no-preloader"

/** Names the readable core build wherever Qwik's minified one was resolved, so that the page holds one core only. */
export const readableCore = (id: string): string => id.replace("core.min.mjs", "core.prod.mjs")

/** True for the files Qwik writes for its server renderer. */
const isQwikManifest = (name: string): boolean => /(^|\/)(q-manifest\.json|.*bundle-graph.*\.json)$/.test(name)

const isCoreImport = (id: string) => /^@builder\.io\/qwik(\/jsx(-dev)?-runtime)?$/.test(id)
const isCoreFile = (id: string) => /qwik[\\/]dist[\\/]core(\.prod)?\.mjs/.test(id)

const inBrowser = (): PluginOption => {
  let building = false
  let patched = false
  return {
    name: "qwik-in-browser",
    enforce: "pre",
    config: { order: "post", handler: () => ({ build: { modulePreload: { polyfill: false } } }) },
    configResolved(config) {
      building = config.command === "build"
    },
    async resolveId(id, importer, options) {
      if (building && id === PRELOADER) return NO_PRELOADER
      const isLoader = id.endsWith("/qwikloader.js")
      if (!isLoader && !isCoreImport(id)) return null
      const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
      if (resolved === null) return null
      return isLoader ? { ...resolved, moduleSideEffects: true } : { ...resolved, id: readableCore(resolved.id) }
    },
    load: (id) => (id === NO_PRELOADER ? "export const p = () => {}" : null),
    transform(source, id) {
      if (!isCoreFile(id)) return null
      const changed = changedCore(source)
      if ("missing" in changed) this.error(`qwik-in-browser: ${changed.missing} was not found in Qwik's core`)
      patched = true
      return { code: changed.code, map: null }
    },
    buildEnd(error) {
      if (building && error === undefined && !patched) this.error("qwik-in-browser: Qwik's core wasn't in the build")
    }
  }
}

/** Qwik writes them in its own last hook, so this one comes after it. */
const withoutManifests: PluginOption = {
  name: "without-qwik-manifests",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const name of Object.keys(bundle)) if (isQwikManifest(name)) delete bundle[name]
    }
  }
}

/** Qwik's plugin sets an option of older bundlers, which this one warns about at every build. */
const withoutOldOptions = (plugins: ReadonlyArray<Plugin>): ReadonlyArray<Plugin> =>
  plugins.map((plugin) => {
    const { config } = plugin
    if (typeof config !== "function") return plugin
    return {
      ...plugin,
      async config(...given) {
        const { esbuild: _old, ...set } = (await config.apply(this, given)) ?? {}
        return set
      }
    }
  })

/**
 * Qwik, fit for a page that renders in the browser only.
 *
 * - It keeps the event loader, without which no handler would run: Qwik's package declares itself free of side effects.
 * - Its core is changed as `qwikCore.ts` describes: it recovers from exceptions and lets go of removed elements. The build
 *   fails when the core no longer has a place that is changed.
 * - Modules are preloaded, which Qwik's plugin switches off, but not by Qwik's preloader (1.4 KB compressed): it knows only
 *   chunks of handlers, and every handler is in its component's chunk.
 * - The manifests for Qwik's server renderer are left out: nothing reads them, and they name source paths.
 */
export const qwikInBrowser = (): PluginOption => [
  inBrowser(),
  ...withoutOldOptions(qwikVite({ csr: true, entryStrategy: { type: "inline" } })),
  withoutManifests
]
