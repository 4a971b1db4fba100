import { EmbeddedGateway, type EmbeddedGatewayOptions } from "../src/EmbeddedGateway.ts"
import { newerGeneration } from "../src/newerGeneration.ts"
import { olderGeneration } from "./olderGeneration.ts"

/** A generation by its name. */
export type GenerationName = "old" | "new"

/** Options of an embedded gateway, which may be of the older generation. */
export interface PracticeGatewayOptions extends Omit<EmbeddedGatewayOptions, "generation"> {
  /** Default `new`. */
  readonly generation?: GenerationName
}

/** An embedded gateway of either generation. */
export const practiceGateway = ({ generation, ...options }: PracticeGatewayOptions = {}) =>
  EmbeddedGateway.layer({ ...options, generation: generation === "old" ? olderGeneration : newerGeneration })
