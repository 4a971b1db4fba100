import { readFileSync } from "node:fs"

const manifest: { readonly name: string; readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8")
)

/**
 * What makes the page's conversations: `live` shows those that the console keeps, `relay` makes them of a gateway's
 * frames.
 */
export const PAGE_BRAIN = process.env.PAGE_BRAIN === "live" ? "live" : "relay"

/**
 * Compile-time constants with the package's name and version, shared by the build and the test runner, and the id of a
 * build of server and page together, which is empty for a part that's built by itself.
 */
export const VERSION_DEFINES = {
  __PACKAGE_NAME__: JSON.stringify(manifest.name),
  __PACKAGE_VERSION__: JSON.stringify(manifest.version),
  __BUILD_ID__: JSON.stringify(process.env.CONSOLE_BUILD_ID ?? ""),
  __PAGE_BRAIN__: JSON.stringify(PAGE_BRAIN)
}
