import { fieldsOf, filledText } from "../../../src/contract/looseFields.ts"
import { gatewayCall } from "./gatewayHistory.ts"

/** Sets which commands of a gateway's agents need a permission, through the console at this address. */
export const setPolicy = async (url: string, defaults: object): Promise<void> => {
  const now = fieldsOf(await gatewayCall(url, "exec.approvals.get", {}))
  const file = { ...fieldsOf(now.file), version: 1, defaults }
  await gatewayCall(url, "exec.approvals.set", { baseHash: filledText(now.hash), file })
}
