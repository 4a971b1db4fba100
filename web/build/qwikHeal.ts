import type { Plugin } from "vite"

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

const isCoreImport = (id: string) => /^@builder\.io\/qwik(\/jsx(-dev)?-runtime)?$/.test(id)
const isCoreFile = (id: string) => /qwik[\\/]dist[\\/]core(\.prod)?\.mjs/.test(id)

/**
 * Lets the page live on after an exception inside a render. Without it Qwik 1.20's scheduler stays locked: one throwing
 * task freezes every component for good. With it the pending work is scheduled again and a `qheal` event with the error
 * is dispatched on `window`. The build fails when Qwik's core no longer has the place that is patched.
 */
export const qwikHeal = (): Plugin => {
  let building = false
  let patched = false
  return {
    name: "qwik-heal",
    enforce: "pre",
    configResolved(config) {
      building = config.command === "build"
    },
    async resolveId(id, importer, options) {
      if (!isCoreImport(id)) return null
      const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
      return resolved === null ? null : { ...resolved, id: readableCore(resolved.id) }
    },
    transform(source, id) {
      if (!isCoreFile(id)) return null
      const code = addRecovery(source)
      if (code === undefined) this.error("qwik-heal: the catch of renderMarked was not found in Qwik's core")
      patched = true
      return { code, map: null }
    },
    buildEnd(error) {
      if (building && error === undefined && !patched) this.error("qwik-heal: Qwik's core was not part of the build")
    }
  }
}
