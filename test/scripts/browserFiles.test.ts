import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { BROWSER_FILES, browserFilesFor, SHARED_FILES, WHOLE_WALKS } from "../../scripts/browserFiles.ts"

const imports = new Map(
  Object.entries({
    "web/src/board/Card.tsx": ["web/src/board/card.css", "web/src/ui/Menu.tsx", "src/contract/board.ts"],
    "web/src/board/BoardScreen.tsx": ["web/src/board/Card.tsx"],
    "web/src/inbox/InboxScreen.tsx": ["web/src/approvals/Item.tsx", "web/src/ui/Menu.tsx"],
    "web/src/search/SearchScreen.tsx": ["web/src/ui/Menu.tsx"],
    "web/src/shell/loadScreen.ts": ["web/src/board/BoardScreen.tsx", "web/src/inbox/InboxScreen.tsx"],
    "web/src/shell/Frame.tsx": ["web/src/shell/loadScreen.ts"],
    "web/src/main.tsx": ["web/src/shell/Frame.tsx"]
  }).map(([file, targets]) => [file, new Set(targets)] as const)
)

const of = (...folders: ReadonlyArray<string>) =>
  [...new Set(folders.flatMap((folder) => BROWSER_FILES[`web/src/${folder}`] ?? []))].sort()

describe("the browser files of a change", () => {
  it.each([
    ["a screen's own", "web/src/board/Card.tsx", of("board")],
    ["its stylesheet", "web/src/board/card.css", of("board")],
    ["a part that another screen shows, too", "web/src/approvals/Item.tsx", of("approvals", "inbox")],
    ["what a screen shares with the server", "src/contract/board.ts", of("board")],
    ["a piece of many screens", "web/src/ui/Menu.tsx", [...SHARED_FILES].sort()],
    ["the frame, which only loads the screens", "web/src/shell/Frame.tsx", of("shell")],
    ["the looks of all", "web/src/styles/tokens.css", [...SHARED_FILES].sort()],
    ["the texts of a language", "web/languages/de.json", ["languages"]],
    ["a browser file itself", "test/e2e/package.e2e.ts", ["package"]],
    ["the server's", "src/services/board/Board.ts", []]
  ])("are %s", (_name, changed, expected) => {
    assert.deepStrictEqual(browserFilesFor([changed], imports), expected)
  })

  it("know every browser file, and none that isn't there", () => {
    const known = new Set([...Object.values(BROWSER_FILES).flat(), ...SHARED_FILES, ...WHOLE_WALKS])
    const there = readdirSync("test/e2e").flatMap((name) => /^(\w+)\.e2e\.ts$/.exec(name)?.[1] ?? [])
    assert.deepStrictEqual([...known].sort(), there.sort())
  })

  it("know every folder of the page that draws something of its own", () => {
    const shared = ["base", "core", "styles", "ui"]
    const folders = readdirSync("web/src", { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !shared.includes(entry.name) ? [`web/src/${entry.name}`] : []
    )
    assert.deepStrictEqual(Object.keys(BROWSER_FILES).sort(), folders.sort())
  })
})
