import type { Notices } from "../base/Notices.ts"
import { say } from "../core/language/say.ts"

/** How long the server may take to say which version it has. */
const LIMIT_MS = 5_000

/** Offers to load the page again, which brings the server's version. */
export const announceVersion = (notices: Notices): void =>
  notices.show("info", say("A new version is available."), {
    label: say("Reload"),
    run: () => window.location.reload()
  })

/**
 * Whether the server's page starts with another file than this one did, so that files this one names may be gone. False
 * while the server can't be reached.
 */
export const hasNewVersion = async (): Promise<boolean> => {
  const started = document.querySelector("script[type=module][src]")?.getAttribute("src")
  if (!navigator.onLine || started == null) return false
  try {
    const page = await fetch("/", { cache: "no-store", signal: AbortSignal.timeout(LIMIT_MS) })
    const text = page.ok && !page.redirected ? await page.text() : ""
    // Another page, such as a sign-in in between, has none of the console's scripts.
    return /\/assets\/index-/.test(text) && !text.includes(started)
  } catch {
    return false
  }
}
