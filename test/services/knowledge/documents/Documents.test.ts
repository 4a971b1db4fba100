import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { GatewayTools } from "../../../../src/services/gateway/client/GatewayTools.ts"
import { Documents, MAX_DOCUMENT_BYTES } from "../../../../src/services/knowledge/documents/Documents.ts"
import { WorkspaceTexts } from "../../../../src/services/knowledge/texts/WorkspaceTexts.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

const withDocuments = <A, E>(body: Effect.Effect<A, E, Documents | Settings | FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    return yield* body.pipe(
      Effect.provide(
        Documents.layer.pipe(
          Layer.provide(WorkspaceTexts.here),
          Layer.provide(Layer.mock(GatewayTools, {})),
          Layer.provideMerge(fileServices(folder))
        )
      )
    )
  }).pipe(Effect.scoped)

describe("Documents", () => {
  it.effect("knows six documents, makes a missing one on write and keeps the mode of one that is there", () =>
    withDocuments(
      Effect.gen(function* () {
        const documents = yield* Documents
        const fs = yield* FileSystem.FileSystem
        const { gatewayHome } = yield* Settings
        const before = yield* documents.list
        assert.deepStrictEqual(
          before.map((document) => `${document.key}=${document.filename}`),
          [
            "soul=SOUL.md",
            "tools=TOOLS.md",
            "identity=IDENTITY.md",
            "user=USER.md",
            "agents=AGENTS.md",
            "heartbeat=HEARTBEAT.md"
          ]
        )
        assert.isTrue(before.every((document) => !document.exists))
        assert.strictEqual((yield* documents.read("soul").pipe(Effect.flip))._tag, "DocumentMissing")
        yield* documents.write("soul", "calm\r\n")
        const path = `${gatewayHome}/workspace/SOUL.md`
        yield* fs.chmod(path, 0o600)
        yield* documents.write("soul", "calmer\r\n")
        assert.strictEqual(yield* documents.read("soul"), "calmer\r\n")
        assert.strictEqual((yield* fs.stat(path)).mode & 0o777, 0o600)
        assert.isTrue((yield* documents.list).some((document) => document.key === "soul" && document.exists))
      })
    )
  )

  it.effect("counts the limit in bytes", () =>
    withDocuments(
      Effect.gen(function* () {
        const documents = yield* Documents
        yield* documents.write("user", "a".repeat(MAX_DOCUMENT_BYTES))
        const tooLarge = yield* documents.write("user", "é".repeat(MAX_DOCUMENT_BYTES / 2 + 1)).pipe(Effect.flip)
        assert.strictEqual(tooLarge._tag, "DocumentTooLarge")
        assert.strictEqual((yield* documents.read("user")).length, MAX_DOCUMENT_BYTES)
      })
    )
  )
})
