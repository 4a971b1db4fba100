import { keyParts, qualifiedKey } from "../../../src/contract/qualifiedKey.ts"
import { below } from "../core/common/basePath.ts"
import { agentOfKey } from "../core/conversation/history/agentOfKey.ts"

/** The address of a file or folder in the workspace of a session's agent. */
export const workspacePath = (sessionKey: string, path: string): string => {
  const { gatewayId, key } = keyParts(sessionKey)
  const agent = qualifiedKey(gatewayId, agentOfKey(key))
  const segments = path.split("/").filter((segment) => segment !== "")
  return below(`/knowledge/files/${segments.map(encodeURIComponent).join("/")}?agent=${encodeURIComponent(agent)}`)
}
