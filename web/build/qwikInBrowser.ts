import { qwikVite } from "@builder.io/qwik/optimizer"
import type { Plugin, PluginOption } from "vite"

const PRELOADER = "@builder.io/qwik/preloader"
const NO_PRELOADER = "\0no-preloader"

/** The last `catch` of Qwik's `renderMarked`, recognised by the function that follows it. */
const LAST_CATCH = /(catch \(err\) \{\s*logError\(err\);)(\s*\}\s*\};\s*const getFlags)/

const HEAL = `
  containerState.$hostsStaging$.forEach((host) => containerState.$hostsNext$.add(host));
  containerState.$hostsStaging$.clear();
  containerState.$hostsRendering$ = void 0;
  containerState.$renderPromise$ = void 0;
  dispatchEvent(new CustomEvent("qheal", { detail: err }));
  if (containerState.$hostsNext$.size + containerState.$taskNext$.size + containerState.$opsNext$.size > 0)
    setTimeout(() => scheduleFrame(containerState), 16);
`

/** Adds the recovery to Qwik's core source; `undefined` when the place to add it is not there. */
export const addRecovery = (source: string): string | undefined =>
  LAST_CATCH.test(source) ? source.replace(LAST_CATCH, `$1${HEAL}$2`) : undefined

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
      const code = addRecovery(source)
      if (code === undefined) this.error("qwik-in-browser: the catch of renderMarked was not found in Qwik's core")
      patched = true
      return { code, map: null }
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
 * - The page lives on after an exception inside a render. Without that, Qwik 1.20's scheduler stays locked: one throwing
 *   task freezes every component for good. With it the pending work is scheduled again and a `qheal` event with the error
 *   is dispatched on `window`. The build fails when Qwik's core no longer has the place that is patched.
 * - Modules are preloaded, which Qwik's plugin switches off, but not by Qwik's preloader (1.4 KB compressed): it knows only
 *   chunks of handlers, and every handler is in its component's chunk.
 * - The manifests for Qwik's server renderer are left out: nothing reads them, and they name source paths.
 */
export const qwikInBrowser = (): PluginOption => [
  inBrowser(),
  ...withoutOldOptions(qwikVite({ csr: true, entryStrategy: { type: "inline" } })),
  withoutManifests
]
