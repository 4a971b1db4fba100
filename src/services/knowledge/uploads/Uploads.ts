import { mkdir } from "node:fs/promises"
import { Clock, Context, DateTime, Effect, Layer, Schema, type Stream } from "effect"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { attempt, type FileError, RootMissing } from "../../platform/storage/fileErrors.ts"
import { AgentWorkspaces, type WorkspaceError } from "../agents/AgentWorkspaces.ts"
import { WorkspaceForbidden } from "../agents/agentErrors.ts"
import { agentField } from "../agents/Workspace.ts"
import { makeGuardedRoot } from "../files/GuardedRoot.ts"
import type { TextsOwner } from "../texts/WorkspaceTexts.ts"
import { keepUpload } from "./keepUpload.ts"
import { safeFileName } from "./safeFileName.ts"
import { UPLOADS_FOLDER, uploadsSize } from "./uploadsSize.ts"

/** Most bytes of all files of one agent. */
const MAX_UPLOADS = 2_000_000_000

/** The uploads of an agent have reached their limit. */
export class UploadsFull extends Schema.TaggedError<UploadsFull>()("UploadsFull", {}) {}

/** The path of a file, relative to the agent's workspace. */
export interface Uploaded {
  readonly path: string
  /** In bytes. */
  readonly size: number
}

export interface UploadsShape {
  /**
   * Stores a file for an agent: below `uploads` in its workspace, in a folder for the day, under its name, with a
   * number if that exists. At most 100 MB, 2 GB for all files of an agent. An interrupted upload leaves no file.
   */
  readonly add: (
    owner: TextsOwner,
    name: string,
    bytes: Stream.Stream<Uint8Array, FileError>
  ) => Effect.Effect<Uploaded, WorkspaceError | FileError | UploadsFull>
}

const elsewhere = new WorkspaceForbidden({
  message:
    "The agent is on another gateway's machine, where the console can't put files. Attach pictures or text files of up to 64 KB, or put the file into the agent's workspace there."
})

const nowhere = new RootMissing({
  message:
    "The agent's workspace isn't on this machine, so the file can't be put there. Attach pictures or text files of up to 64 KB, or correct the setting GATEWAY_HOME."
})

/** The files that people send to agents and that aren't sent as text. */
export class Uploads extends Context.Service<Uploads, UploadsShape>()(
  "agent-console/services/knowledge/uploads/Uploads"
) {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const workspaces = yield* AgentWorkspaces
      const events = yield* EventBus

      const add = Effect.fn("Uploads.add")(
        function* (owner: TextsOwner, name: string, bytes: Stream.Stream<Uint8Array, FileError>) {
          if ((owner.gateway ?? PRIMARY) !== PRIMARY) return yield* elsewhere
          const workspace = yield* workspaces.of(owner.agent)
          // The default agent's folder is in the settings; the others' are created when needed.
          if (workspace.agent !== undefined) yield* attempt(() => mkdir(workspace.root, { recursive: true }))
          const root = makeGuardedRoot(workspace.root)
          const now = yield* Clock.currentTimeMillis
          const room = MAX_UPLOADS - (yield* uploadsSize(root, now))
          if (room <= 0) return yield* new UploadsFull()
          const day = DateTime.formatIsoDateUtc(DateTime.makeUnsafe(now))
          const kept = yield* keepUpload(root, [UPLOADS_FOLDER, day], safeFileName(name), bytes)
          const path = `${UPLOADS_FOLDER}/${day}/${kept.name}`
          yield* events.publish({ event: "file.changed", data: { path, mtime: kept.mtime, ...agentField(workspace) } })
          return { path, size: kept.size }
        },
        Effect.catchTag("FileMissing", () => Effect.fail(nowhere))
      )

      return Uploads.of({ add })
    })
  )
}
