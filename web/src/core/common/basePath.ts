/**
 * The path below which the console is served, such as `/console`; empty at the root of a host. `theme.js`, which runs
 * before the page's modules, notes where it was loaded from.
 */
export const BASE_PATH: string = typeof document === "undefined" ? "" : (document.documentElement?.dataset?.base ?? "")

/** The address on this host of a path of the console, such as `/board`. */
export const below = (path: string): string => `${BASE_PATH}${path}`

/** A name in what all pages of an origin share, such as its storage: consoles below other paths have their own. */
export const ownName = (name: string): string => `${name}${BASE_PATH}`
