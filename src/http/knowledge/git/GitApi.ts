import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Done } from "../../../contract/schema/fields.ts"
import { GitState } from "../../../contract/schema/files.ts"
import { WorkdirForbidden } from "../../../services/knowledge/git/GitInfo.ts"
import { GitFailure } from "../../../services/platform/process/runGit.ts"
import { FileMissing, FileRefused } from "../../../services/platform/storage/fileErrors.ts"
import { errorBody } from "../../errorBody.ts"
import { Right, rights } from "../../Right.ts"

const SessionKey = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(500))
const Workdir = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4096))

/** The git state of the folders sessions work in. */
export class GitApi extends HttpApiGroup.make("git")
  .add(
    HttpApiEndpoint.get("state", "/api/git-info", {
      query: { sessionKey: Schema.optionalKey(Schema.String) },
      success: GitState,
      error: errorBody(GitFailure, { code: "git_failure", status: 500, details: (failure) => failure })
    }).annotate(OpenApi.Summary, "Get the branch or short hash, and whether there are uncommitted changes"),
    HttpApiEndpoint.post("register", "/api/git-info/workdir", {
      payload: Schema.Struct({ sessionKey: SessionKey, workdir: Workdir }),
      success: Done,
      error: [
        errorBody(WorkdirForbidden, { code: "forbidden", status: 403, details: (error) => error }),
        errorBody(FileRefused, { code: "validation_error", status: 400, details: (error) => error }),
        errorBody(FileMissing, { code: "not_found", status: 404 })
      ]
    }).annotate(OpenApi.Summary, "Register a session's working directory for one hour"),
    HttpApiEndpoint.delete("unregister", "/api/git-info/workdir", {
      payload: Schema.Struct({ sessionKey: SessionKey }),
      success: Done
    }).annotate(OpenApi.Summary, "Unregister a session's working directory")
  )
  .annotate(Right, rights("read", "manage"))
  .annotate(OpenApi.Title, "Git") {}
