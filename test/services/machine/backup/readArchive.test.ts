import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readArchive } from "../../../../src/services/machine/backup/archive.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"
import { manifestOf, type TarEntry, tarOf } from "../../../support/tarArchive.ts"

const A: TarEntry = { path: "svc/a.json", text: "{}" }
const B: TarEntry = { path: "settings/.env", text: "PORT=1\n" }
const whole = [manifestOf([A, B]), A, B]

const read = (bytes: Uint8Array) =>
  Effect.gen(function* () {
    const file = join(yield* temporaryDirectory, "a.tar.gz")
    writeFileSync(file, bytes)
    return yield* readArchive(file)
  }).pipe(Effect.scoped)

const damages: ReadonlyArray<readonly [string, Uint8Array, RegExp]> = [
  ["no archive", Buffer.from("hello"), /whole tar\.gz/],
  ["an empty file", new Uint8Array(), /whole tar\.gz|empty/],
  ["an archive that was cut off", tarOf(whole).subarray(0, -20), /whole tar\.gz/],
  ["one changed byte", Buffer.from(tarOf(whole).map((byte, at) => (at === 60 ? byte ^ 1 : byte))), /damaged/],
  ["an archive with nothing in it", tarOf([]), /empty/],
  ["no manifest", tarOf([A, B]), /manifest\.json isn't its first file/],
  ["a manifest that isn't first", tarOf([A, ...whole.slice(0, 1), B]), /isn't its first file/],
  ["a manifest that isn't one", tarOf([{ path: "manifest.json", text: "[]" }]), /manifest can't be read/],
  ["a manifest without files", tarOf([{ path: "manifest.json", text: '{"version":1}' }]), /manifest can't be read/],
  ["a missing file", tarOf(whole.slice(0, 2)), /settings\/\.env is missing/],
  ["a file more", tarOf([...whole, { path: "svc/b", text: "" }]), /svc\/b isn't in its manifest/],
  ["a file twice", tarOf([...whole, A]), /svc\/a\.json is in it twice/],
  ["a file twice in the manifest", tarOf([manifestOf([A, A]), A]), /twice/],
  ["another content", tarOf([manifestOf([A]), { ...A, text: "[]" }]), /isn't what the manifest says/],
  ["another size", tarOf([manifestOf([A]), { ...A, text: "{ }" }]), /another size/],
  ["an absolute path", tarOf([manifestOf([{ path: "/etc/x" }]), { path: "/etc/x" }]), /is absolute/],
  ["an absolute path that isn't listed", tarOf([...whole, { path: "/etc/x" }]), /is absolute/],
  ["a path that leads out", tarOf([manifestOf([{ path: "svc/../../x" }]), { path: "svc/../../x" }]), /leads out/],
  ["a folder that leads out", tarOf([...whole, { path: "svc/../../", type: "5" }]), /leads out/],
  ["a link", tarOf([manifestOf([{ path: "svc/l" }]), { path: "svc/l", type: "2" }]), /neither a file nor a folder/],
  ["a hard link", tarOf([manifestOf([{ path: "svc/l" }]), { path: "svc/l", type: "1" }]), /neither a file nor/],
  ["a device", tarOf([manifestOf([{ path: "svc/l" }]), { path: "svc/l", type: "3" }]), /neither a file nor/],
  ["a pipe", tarOf([manifestOf([{ path: "svc/l" }]), { path: "svc/l", type: "6" }]), /neither a file nor/],
  ["a file below a file", tarOf([manifestOf([A, { path: "svc/a.json/b" }])]), /below a file/],
  ["two files for one place", tarOf([manifestOf([{ path: "svc/restored/x/y" }, { path: "x/y" }])]), /one place/],
  [
    "more than 64 GiB",
    tarOf([manifestOf([], { files: [{ path: "svc/a", bytes: 2 ** 37, sha256: "0".repeat(64) }] })]),
    /64 GiB/
  ],
  ["zeros without end", gzipSync(Buffer.concat([Buffer.from([]), Buffer.alloc(120 * 1024 * 1024)])), /damaged/]
]

describe("an archive", () => {
  it.effect("is read as it was made, also with folders in it", () =>
    Effect.gen(function* () {
      const manifest = yield* read(tarOf([...whole.slice(0, 1), { path: "svc/", type: "5" }, A, B]))
      assert.deepStrictEqual(
        manifest.files.map(({ path }) => path),
        ["svc/a.json", "settings/.env"]
      )
    })
  )

  it.effect.each(damages)("%s is damage", ([, bytes, said]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read(bytes))
      assert.strictEqual(failure.reason, "damaged")
      assert.match(failure.message, said)
    })
  )

  it.effect("that isn't there is missing, and a folder is damage", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      assert.strictEqual((yield* Effect.flip(readArchive(join(directory, "a")))).reason, "missing")
      mkdirSync(join(directory, "a"))
      assert.strictEqual((yield* Effect.flip(readArchive(join(directory, "a")))).reason, "damaged")
    }).pipe(Effect.scoped)
  )

  it.effect("of a newer format is named with the version that can read it, unless it's damaged", () =>
    Effect.gen(function* () {
      const newer = { path: "manifest.json", text: '{"version":9,"consoleVersion":"3.1.4","shards":[]}' }
      const failure = yield* Effect.flip(read(tarOf([newer, { path: "x", text: "y" }])))
      assert.strictEqual(failure.reason, "newer")
      assert.include(failure.message, "3.1.4")
      const odd = yield* Effect.flip(read(tarOf([newer, { path: "x", type: "2" }])))
      assert.strictEqual(odd.reason, "damaged")
      assert.strictEqual((yield* read(tarOf([manifestOf([A], { version: 2 }), A]))).version, 2)
    })
  )
})
