import { keyParts, qualifiedKey } from "../../../src/contract/qualifiedKey.ts"
import { agentOfKey } from "../../../src/services/conversations/history/agentOfKey.ts"
import { below } from "../core/common/basePath.ts"

/** The address of a file or folder in the workspace of a session's agent. */
export const workspacePath = (sessionKey: string, path: string): string => {
  const { gatewayId, key } = keyParts(sessionKey)
  const agent = qualifiedKey(gatewayId, agentOfKey(key))
  const segments = path.split("/").filter((segment) => segment !== "")
  return below(`/knowledge/files/${segments.map(encodeURIComponent).join("/")}?agent=${encodeURIComponent(agent)}`)
}
