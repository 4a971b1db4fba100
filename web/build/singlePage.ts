import type { Plugin } from "vite"

/**
 * Shapes the build for a page that renders in the browser only: module preloading back on (Qwik's plugin switches it
 * off) and Qwik's server-side manifests left out, since nothing reads them and they name source paths.
 */
export const singlePage = (): Plugin => ({
  name: "single-page",
  enforce: "post",
  config: () => ({ build: { modulePreload: { polyfill: false } } }),
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const name of Object.keys(bundle)) {
        if (isQwikManifest(name)) delete bundle[name]
      }
    }
  }
})

/** True for the files Qwik writes for its server renderer. */
export const isQwikManifest = (name: string): boolean => /(^|\/)(q-manifest\.json|.*bundle-graph.*\.json)$/.test(name)
