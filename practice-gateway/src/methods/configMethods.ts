import { Effect, Schema } from "effect"
import { isObject, mergePatch, redacted, removedLists } from "../config/mergePatch.ts"
import type { Gateway } from "../Gateway.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method, NoParams } from "./method.ts"

const patchFields = {
  raw: Schema.String,
  baseHash: Schema.optionalKey(Schema.String),
  note: Schema.optionalKey(Schema.String)
}

const hashOf = ({ config }: Gateway): string => `practice-${config.revision}`

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const STALE = "config changed since last load; re-run config.get and retry"

/** `config.get` and `config.patch`; the practice gateway keeps its configuration in memory and acts on none of it. */
export const configMethods: ReadonlyArray<GatewayMethod> = [
  method("config.get", "operator.read", NoParams, (_, { gateway }) =>
    Effect.sync(() => ({
      path: "openclaw.json",
      exists: true,
      raw: null,
      valid: true,
      config: redacted(gateway.config.value),
      hash: hashOf(gateway),
      issues: [],
      warnings: []
    }))
  ),
  method(
    "config.patch",
    "operator.admin",
    Schema.Struct({
      ...patchFields,
      replacePaths: Schema.optionalKey(Schema.Array(Schema.String))
    }),
    ({ raw, baseHash, replacePaths = [] }, { gateway }) =>
      Effect.suspend(() => {
        const { config } = gateway
        const patch = parse(raw)
        if (patch._tag === "None") return Effect.fail(invalidRequest("raw must be an object"))
        if (baseHash !== hashOf(gateway)) return Effect.fail(invalidRequest(STALE))
        const next = mergePatch(config.value, patch.value)
        const lost = removedLists(config.value, next).filter((path) => !replacePaths.includes(path))
        if (gateway.generation.guardsLists && lost.length > 0)
          return Effect.fail(
            invalidRequest(
              `config.patch would remove entries from array path(s): ${lost.join(", ")}. Pass replacePaths`
            )
          )
        config.value = isObject(next) ? next : {}
        config.revision += 1
        return Effect.succeed({
          ok: true,
          path: "openclaw.json",
          hash: hashOf(gateway),
          config: redacted(config.value)
        })
      })
  )
]
