import type { Plugin } from "vite"

const ID = "\0no-preloader"

/**
 * Leaves Qwik's preloader out (1.4 KB compressed). It preloads the chunks of handlers; here
 * every handler is in its component's chunk.
 */
export const noPreloader = (): Plugin => ({
  name: "no-preloader",
  apply: "build",
  enforce: "pre",
  resolveId: (id) => (id === "@builder.io/qwik/preloader" ? ID : null),
  load: (id) => (id === ID ? "export const p = () => {}" : null)
})
