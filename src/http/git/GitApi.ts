import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FileMissing, FileRefused } from "../../services/files/fileErrors.ts"
import { WorkdirForbidden } from "../../services/git/GitInfo.ts"
import { GitFailure } from "../../services/git/runGit.ts"
import { errorBody } from "../errorBody.ts"

const Ok = Schema.Literal(true)
const SessionKey = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))
const Workdir = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4096))

/** The state of the directories sessions work in (SPEC "Git info"). */
export class GitApi extends HttpApiGroup.make("git")
  .add(
    HttpApiEndpoint.get("state", "/api/git-info", {
      query: { sessionKey: Schema.optionalKey(Schema.String) },
      success: Schema.Struct({ branch: Schema.NullOr(Schema.String), dirty: Schema.Boolean }),
      error: errorBody(GitFailure, { code: "git_failure", status: 500, details: (failure) => failure.message })
    }).annotate(OpenApi.Summary, "Branch, or short hash, and whether anything is not committed"),
    HttpApiEndpoint.post("register", "/api/git-info/workdir", {
      payload: Schema.Struct({ sessionKey: SessionKey, workdir: Workdir }),
      success: Schema.Struct({ ok: Ok }),
      error: [
        errorBody(WorkdirForbidden, { code: "forbidden", status: 403, details: (error) => error.message }),
        errorBody(FileRefused, { code: "validation_error", status: 400, details: (error) => error.message }),
        errorBody(FileMissing, { code: "not_found", status: 404 })
      ]
    }).annotate(OpenApi.Summary, "Say for one hour where a session works"),
    HttpApiEndpoint.delete("unregister", "/api/git-info/workdir", {
      payload: Schema.Struct({ sessionKey: SessionKey }),
      success: Schema.Struct({ ok: Ok })
    }).annotate(OpenApi.Summary, "Forget where a session works")
  )
  .annotate(OpenApi.Title, "Git") {}
