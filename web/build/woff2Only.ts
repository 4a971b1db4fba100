import type { Plugin } from "vite"

const OTHER_FORMATS = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'](?:woff|truetype)["']\)/g

/** A stylesheet whose fonts have one format, which every browser of today reads. */
export const withoutOtherFormats = (css: string): string => css.replaceAll(OTHER_FORMATS, "")

/** Leaves the older formats of the formulas' fonts out of the build: forty files that nobody would load. */
export const woff2Only = (): Plugin => ({
  name: "woff2-only",
  enforce: "pre",
  transform: (code, id) => (/\/katex\/dist\/katex(?:\.min)?\.css/.test(id) ? withoutOtherFormats(code) : null)
})
