import { type Path, Schema } from "effect"
import { makeJsonFile } from "../../platform/storage/jsonFile.ts"
import { StoredGateway } from "./gatewayEntry.ts"

/** The added gateways with their tokens, in a file that only the console's user can read. */
export const gatewaysFile = (svcHome: string, paths: Path.Path) =>
  makeJsonFile({
    path: paths.join(svcHome, "gateways.json"),
    what: "the list of gateways",
    schema: Schema.Array(StoredGateway),
    empty: []
  })
