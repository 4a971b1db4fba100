import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../support/fileServices.ts"
import { canMount, ON_DISK_MS, runOnDisk } from "../../support/ownMounts.ts"

const PAUSED =
  "there's too little room on the disk, so what's new isn't found: free up some space, and indexing continues automatically"

it.live.skipIf(!canMount)(
  "on a full disk the index pauses with a sentence and is searched on, and with room it goes on by itself (needs mounts of its own)",
  () =>
    Effect.gen(function* () {
      const ended = runOnDisk("middling", yield* temporaryFolder, "./fullSearchDisk.ts")
      const events = ended.stdout.split("\n").filter((line) => line.startsWith('{"what":'))
      const said = new Map(events.map((line) => JSON.parse(line)).map(({ what, said }) => [what, said]))
      const why = ended.stdout + ended.stderr
      // The console keeps on working beside an index that leaves the last of the disk to others.
      assert.strictEqual(said.get("a card while there's little room"), 201, why)
      assert.deepInclude(said.get("the index then"), { state: "ready", paused: PAUSED, messages: 1 })
      assert.strictEqual(said.get("what was there"), 1)
      assert.deepStrictEqual(said.get("what's new"), { hits: [], state: "ready", paused: PAUSED })
      assert.strictEqual(said.get("SQLite's own refusal"), "disk_full")
      assert.strictEqual(said.get("found after it"), 1)
      assert.strictEqual(said.get("found by a new thread"), 1)
      assert.strictEqual(said.get("what was there, on a full disk"), 1)
      assert.strictEqual(said.get("cards on a full disk"), 200)
      assert.notProperty(said.get("the index with room"), "paused", why)
      assert.deepInclude(said.get("the index with room"), { state: "ready", messages: 1, documents: 1 })
      assert.strictEqual(said.get("another card"), 201)
      assert.strictEqual(said.get("all of it"), 1)
    }).pipe(Effect.scoped),
  ON_DISK_MS
)
