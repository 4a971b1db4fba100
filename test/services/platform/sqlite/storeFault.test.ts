import { assert, it } from "@effect/vitest"
import { storeFault } from "../../../../src/services/platform/sqlite/storeFault.ts"

const fault = storeFault("the notes' file", "NFS")

it("an unknown failure is reported in SQLite's words, since there may be no log", () => {
  const { message, reason } = fault({ errcode: 10, errstr: "disk I/O error", message: "/secret/path: disk I/O error" })
  assert.strictEqual(reason, "other")
  assert.strictEqual(message, "couldn't read or write the notes' file (SQLite: disk I/O error)")
  assert.strictEqual(
    fault(new Error("a bug")).message,
    "couldn't read or write the notes' file: the console's log has the cause"
  )
})

it.each([
  [5386, "has no memory that programs share"],
  [5130, "has no memory that programs share"],
  [3850, "has no locks"]
])("a file system that lacks something is named (%i)", (errcode, lack) => {
  assert.strictEqual(
    fault({ errcode, errstr: "disk I/O error" }).message,
    `the notes' file can't be on this file system (NFS), which ${lack}: set SVC_HOME to a folder on a disk of this machine`
  )
  assert.include(storeFault("the notes' file")({ errcode }).message, "can't be on this file system, which")
})
