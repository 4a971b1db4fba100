import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"

type Groups<A = typeof Api> = A extends HttpApi.HttpApi<string, infer Of> ? Of : never

/** The handlers of one group of the contract's routes. */
export const routeHandlers = <const Id extends HttpApiGroup.Identifier<Groups>, Built>(
  id: Id,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Id>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Built>
) => HttpApiBuilder.group(Api, id, build)
