import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { type Command, createCommandRegistry } from "../../../src/core/commands/CommandRegistry.ts"
import { belongsToBrowser, createShortcuts, type KeyPress, keyCaps } from "../../../src/core/commands/Shortcuts.ts"

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change
})
const command = (id: string, keys: string, change: Partial<Command> = {}): Command => ({
  id,
  label: id,
  group: "Test",
  keys,
  run: () => {},
  ...change
})

const registry = createCommandRegistry()
registry.register(() => [
  command("palette", "mod+k", { whileTyping: true }),
  command("help", "?"),
  command("board", "g b"),
  command("new", "n"),
  command("hidden", "h", { when: () => false }),
  command("told", "enter", { helpOnly: true }),
  command("thief", "mod+w")
])

const typed = (presses: ReadonlyArray<KeyPress>, { typing = false, pause = 100 } = {}) => {
  const shortcuts = createShortcuts(registry)
  return presses.map((one, index) => shortcuts.press(one, 1_000 + index * pause, typing)?.id ?? null)
}

describe("Shortcuts", () => {
  it("finds commands by a press with Ctrl or Cmd, by a sign, by a row of letters", () => {
    assert.deepStrictEqual(typed([press("k", { ctrlKey: true })]), ["palette"])
    assert.deepStrictEqual(typed([press("K", { metaKey: true })]), ["palette"])
    assert.deepStrictEqual(typed([press("?", { shiftKey: true })]), ["help"])
    assert.deepStrictEqual(typed([press("g"), press("b")]), [null, "board"])
  })

  it("takes the exact modifiers only", () => {
    assert.deepStrictEqual(typed([press("k")]), [null])
    assert.deepStrictEqual(typed([press("k", { ctrlKey: true, shiftKey: true })]), [null])
    assert.deepStrictEqual(typed([press("n", { altKey: true })]), [null])
  })

  it("forgets a beginning after a pause, and begins anew with a press that does not go on", () => {
    assert.deepStrictEqual(typed([press("g"), press("b")], { pause: 5_000 }), [null, null])
    assert.deepStrictEqual(typed([press("g"), press("n")]), [null, "new"])
    assert.deepStrictEqual(typed([press("g"), press("g"), press("b")]), [null, null, "board"])
    assert.deepStrictEqual(typed([press("g"), press("Shift"), press("b")]), [null, null, "board"])
  })

  it("leaves typing alone, except for what says so", () => {
    assert.deepStrictEqual(typed([press("g"), press("b"), press("?"), press("n")], { typing: true }), [
      null,
      null,
      null,
      null
    ])
    assert.deepStrictEqual(typed([press("k", { ctrlKey: true })], { typing: true }), ["palette"])
  })

  it("finds nothing that cannot be done, that is only listed, or that the browser's keys would do", () => {
    assert.deepStrictEqual(typed([press("h"), press("Enter"), press("w", { ctrlKey: true })]), [null, null, null])
  })
})

describe("keys", () => {
  it("leaves the browser its own", () => {
    for (const keys of [
      "mod+1",
      "mod+w",
      "mod+t",
      "mod+f",
      "mod+r",
      "mod+shift+t",
      "mod+shift+m",
      "alt+v",
      "alt+arrowleft",
      "f5",
      "tab"
    ])
      assert.isTrue(belongsToBrowser(keys), keys)
    for (const keys of ["mod+k", "g b", "?", "mod+/", "mod+z"]) assert.isFalse(belongsToBrowser(keys), keys)
  })

  it("leaves Firefox what it gives no page, and the letters of its menus", () => {
    const never = [
      "mod+n",
      "mod+t",
      "mod+w",
      "mod+q",
      "mod+tab",
      "mod+shift+n",
      "mod+shift+t",
      "mod+shift+w",
      "mod+shift+p"
    ]
    const menus = ["f", "e", "v", "s", "b", "t", "h"].map((letter) => `alt+${letter}`)
    for (const keys of [...never, ...menus]) assert.isTrue(belongsToBrowser(keys), keys)
  })

  it("of every command are ones that the browser leaves to the page", () => {
    const folder = new URL("../../../src/", import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name))
    const found = files.flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(/keys: "([^"]+)"(.*)/g)].flatMap(
        ([, keys = "", rest]) => (rest?.includes("helpOnly") === true ? [] : [`${name} ${keys}`])
      )
    )
    assert.isAbove(found.length, 10)
    assert.deepStrictEqual(
      found.filter((one) => belongsToBrowser(one.slice(one.indexOf(" ") + 1))),
      []
    )
  })

  it("are shown as key caps", () => {
    assert.deepStrictEqual(keyCaps("mod+shift+k", false), [["Ctrl", "Shift", "K"]])
    assert.deepStrictEqual(keyCaps("mod+k", true), [["⌘", "K"]])
    assert.deepStrictEqual(keyCaps("g b", false), [["G"], ["B"]])
    assert.deepStrictEqual(keyCaps("?", false), [["?"]])
  })
})

describe("CommandRegistry", () => {
  it("has a screen's commands before the shell's while the screen is shown; the later of one id wins", () => {
    const commands = createCommandRegistry()
    commands.register(() => [command("a", "a"), command("b", "b")])
    const stop = commands.register(() => [command("b", "x"), command("c", "c")])
    assert.deepStrictEqual(
      commands.available().map(({ id, keys }) => `${id} ${keys}`),
      ["b x", "c c", "a a"]
    )
    stop()
    assert.deepStrictEqual(
      commands.available().map(({ id, keys }) => `${id} ${keys}`),
      ["a a", "b b"]
    )
  })
})
