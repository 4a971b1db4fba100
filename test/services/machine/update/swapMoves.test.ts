import fs, {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import {
  type Move,
  makeMoves,
  planMoves,
  prepareMoves,
  type SwapPlaces,
  undoMoves
} from "../../../../src/services/machine/update/swapMoves.ts"

class Killed extends Error {}

/** How many changes of the disk the process still makes before it is killed. */
let left = Number.POSITIVE_INFINITY
let made = 0
let look = () => {}

const change = <A>(disk: () => A): A => {
  if (left <= 0) throw new Killed()
  left -= 1
  made += 1
  const answer = disk()
  look()
  return answer
}

const { renameSync, linkSync, copyFileSync, rmSync } = fs
vi.spyOn(fs, "renameSync").mockImplementation((from, to) => change(() => renameSync(from, to)))
vi.spyOn(fs, "linkSync").mockImplementation((from, to) => change(() => linkSync(from, to)))
vi.spyOn(fs, "copyFileSync").mockImplementation((from, to) => change(() => copyFileSync(from, to)))
vi.spyOn(fs, "rmSync").mockImplementation((path, options) => change(() => rmSync(path, options)))
syncBuiltinESMExports()

afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** Everything a version consists of here: some paths are in both, some in one only, one is a folder in the other. */
const filesOf = (version: "a" | "b"): Readonly<Record<string, string>> => ({
  "node_modules/.package-lock.json": version,
  "node_modules/shared/index.js": version,
  "node_modules/@scope/part/index.js": version,
  [`node_modules/only-${version}/index.js`]: version,
  "node_modules/node/package.json": version,
  "node_modules/node/bin/node": version,
  "node_modules/node/node_modules/node-for-this-machine/bin/node": version,
  "dist/cli.js": version,
  "dist/thread.js": version,
  "dist/same.json": "same",
  [`dist/only-${version}.js`]: version,
  [version === "a" ? "dist/changing" : "dist/changing/inside.js"]: version,
  [`dist/chunks/part-${version}.js`]: version,
  "dist/chunks/shared.js": "same",
  "dist/web/index.html": version,
  [`dist/web/assets/page-${version}.css`]: version
})

const LINK = "node_modules/.bin/tool"

const lay = (folder: string, version: "a" | "b") => {
  for (const [path, text] of Object.entries(filesOf(version))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  mkdirSync(dirname(join(folder, LINK)), { recursive: true })
  symlinkSync(`../shared/${version}.js`, join(folder, LINK))
}

/** Every file of a folder with what it holds; empty folders do not count. */
const treeOf = (folder: string, path = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (existsSync(join(folder, path)) ? readdirSync(join(folder, path)) : []).flatMap((name) => {
      const own = path === "" ? name : `${path}/${name}`
      const stat = lstatSync(join(folder, own))
      if (stat.isDirectory()) return Object.entries(treeOf(folder, own))
      return [
        [own, stat.isSymbolicLink() ? fs.readlinkSync(join(folder, own)) : readFileSync(join(folder, own), "utf8")]
      ]
    })
  )

const whole = (version: "a" | "b") => ({ ...filesOf(version), [LINK]: `../shared/${version}.js` })

let home = ""
const makePlaces = (): SwapPlaces => {
  home = mkdtempSync(join(tmpdir(), "agent-console-swap-"))
  const places = { live: join(home, "live"), incoming: join(home, "incoming"), outgoing: join(home, "outgoing") }
  lay(places.live, "a")
  lay(places.incoming, "b")
  return places
}

let places: SwapPlaces = { live: "", incoming: "", outgoing: "" }
let moves: ReadonlyArray<Move> = []

beforeEach(() => {
  places = makePlaces()
  moves = planMoves(places, new Set())
})

afterEach(() => {
  left = Number.POSITIVE_INFINITY
  look = () => {}
  rmSync(home, { recursive: true, force: true })
})

/** Runs until the process is "killed", if that comes first; answers how many changes it made. */
const until = (changes: number, run: () => void): number => {
  left = changes
  made = 0
  try {
    run()
  } catch (cause) {
    if (!(cause instanceof Killed)) throw cause
  }
  left = Number.POSITIVE_INFINITY
  return made
}

const forth = () => {
  prepareMoves(places, moves)
  makeMoves(places, moves)
}
const back = () => undoMoves(places, moves)

const assertOld = (why: string) => {
  assert.deepStrictEqual(treeOf(places.live), whole("a"), why)
  assert.deepStrictEqual(treeOf(places.incoming), whole("b"), why)
}

/** A console can be started: the program is there with all it loads, and so is the Node that a service names. */
const assertStartable = () => {
  const version = readFileSync(join(places.live, "dist/cli.js"), "utf8")
  for (const path of [`dist/chunks/part-${version}.js`, "dist/chunks/shared.js", "node_modules/node/bin/node"]) {
    assert.isTrue(existsSync(join(places.live, path)), `${path} is missing for ${version} after ${made} changes`)
  }
}

/** A console of the old version runs on: what it loads later stays. */
const assertOldRunsOn = () => {
  for (const path of ["dist/chunks/part-a.js", "dist/web/assets/page-a.css"]) {
    assert.isTrue(existsSync(join(places.live, path)), `${path} is missing after ${made} changes`)
  }
}

describe("versions that change place", () => {
  it("leave the new one in place, with what a console of the old one still loads, and the old one whole aside", () => {
    forth()
    assert.deepStrictEqual(treeOf(places.live), {
      ...whole("b"),
      "dist/chunks/part-a.js": "a",
      "dist/web/assets/page-a.css": "a"
    })
    assert.deepStrictEqual(treeOf(places.outgoing), whole("a"))
    assert.deepStrictEqual(treeOf(places.incoming), {})
  })

  it("can change back later, from what was kept", () => {
    forth()
    const kept = { live: places.live, incoming: places.outgoing, outgoing: join(home, "kept") }
    const backwards = planMoves(kept, new Set(["dist/chunks/part-a.js"]))
    prepareMoves(kept, backwards)
    makeMoves(kept, backwards)
    const { [LINK]: link, ...files } = treeOf(places.live)
    assert.deepInclude(files, filesOf("a"))
    assert.strictEqual(link, "../shared/a.js")
    assert.notProperty(files, "dist/only-b.js")
    assert.deepInclude(treeOf(kept.outgoing), filesOf("b"))
  })

  it("are as they were when they are taken back, wherever they were killed on the way there", () => {
    const all = until(Number.POSITIVE_INFINITY, forth)
    assert.isAbove(all, 20)
    back()
    for (let killed = 0; killed <= all; killed++) {
      until(killed, forth)
      back()
      assertOld(`killed after ${killed} of ${all} changes`)
      rmSync(places.outgoing, { recursive: true, force: true })
    }
  })

  it("are as they were also when taking them back was killed itself", () => {
    const all = until(Number.POSITIVE_INFINITY, forth)
    const allBack = until(Number.POSITIVE_INFINITY, back)
    for (let killed = 0; killed <= all; killed += 2) {
      for (let killedBack = killed % 5; killedBack < allBack; killedBack += 5) {
        until(killed, forth)
        until(killedBack, back)
        back()
        assertOld(`killed after ${killed} of ${all} changes, and after ${killedBack} on the way back`)
        rmSync(places.outgoing, { recursive: true, force: true })
      }
    }
  })

  it("leave a program to start at every moment, and let a running one go on", () => {
    let looks = 0
    look = () => {
      looks += 1
      assertStartable()
      assertOldRunsOn()
    }
    forth()
    back()
    assert.isAbove(looks, 40)
  })

  it("leave files alone that were left for a console before the old one", () => {
    writeFileSync(join(places.live, "dist/chunks/part-older.js"), "older")
    moves = planMoves(places, new Set(["dist/chunks/part-older.js", "dist/chunks/shared.js"]))
    forth()
    assert.notProperty(treeOf(places.outgoing), "dist/chunks/part-older.js")
    assert.property(treeOf(places.outgoing), "dist/chunks/shared.js")
  })

  it("come into a checkout that has no packages and no build", () => {
    rmSync(join(places.live, "node_modules"), { recursive: true })
    rmSync(join(places.live, "dist"), { recursive: true })
    moves = planMoves(places, new Set())
    forth()
    assert.deepStrictEqual(treeOf(places.live), whole("b"))
    back()
    assert.deepStrictEqual(treeOf(places.live), {})
    assert.deepStrictEqual(treeOf(places.incoming), whole("b"))
  })

  it("are put back although somebody installed packages by hand in between", () => {
    forth()
    mkdirSync(join(places.live, "node_modules/only-a"), { recursive: true })
    writeFileSync(join(places.live, "node_modules/only-a/index.js"), "by hand")
    writeFileSync(join(places.live, "dist/cli.js"), "by hand")
    back()
    assert.deepStrictEqual(treeOf(places.live), whole("a"))
  })
})
