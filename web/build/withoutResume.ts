import type { Plugin } from "vite"

/** The functions of Qwik's core that lead to everything that writes a drawn page down and takes it up again. */
const LEADING = ["resumeIfNeeded", "appendQwikDevTools"]

const isCoreFile = (id: string) => /qwik[\\/]dist[\\/]core\.prod\.mjs/.test(id)

/** Qwik's core source with those functions empty; `undefined` when one of them is not there. */
export const leaveOutResume = (source: string): string | undefined => {
  let code = source
  for (const name of LEADING) {
    const whole = new RegExp(`(const ${name} = containerEl => \\{)[^]*?(\\n\\};)`)
    if (!whole.test(code)) return undefined
    code = code.replace(whole, "$1$2")
  }
  return code
}

/**
 * Leaves out how Qwik resumes a page that a server has drawn. This page is drawn in the browser only, so that code never
 * runs. The build fails when Qwik's core no longer has the places that lead to it.
 */
export const withoutResume = (): Plugin => ({
  name: "without-resume",
  apply: "build",
  enforce: "pre",
  transform(source, id) {
    if (!isCoreFile(id)) return null
    const code = leaveOutResume(source)
    if (code === undefined) this.error("without-resume: Qwik's core doesn't have the functions that lead to resuming")
    return { code, map: null }
  }
})
