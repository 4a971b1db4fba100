import { Context, Effect, Function, Layer, Scope } from "effect"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
import { Api } from "./Api.ts"

type Of<A> = A extends HttpApi.HttpApi<infer Id, infer Groups> ? { readonly id: Id; readonly groups: Groups } : never
type ApiId = Of<typeof Api>["id"]
type Groups = Of<typeof Api>["groups"]

/** The same with its services, which a declared type can't tell. */
const given = <Built>(built: Built, services: Context.Context<never>): Built =>
  Effect.isEffect(built) ? Function.cast(Effect.provideContext(built, services)) : built

/**
 * The handlers of one group of routes, which take their services when they are made. `HttpApiBuilder.group` alone
 * would copy every service of the console into the context of each request: a fifth of what a request allocated.
 */
export const routeHandlers = <const Id extends HttpApiGroup.Identifier<Groups>, Built>(
  id: Id,
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Id>>
  ) => HttpApiBuilder.Handlers.ValidateReturn<Built>
): Layer.Layer<
  HttpApiGroup.Service<ApiId, Id>,
  HttpApiBuilder.Handlers.Error<Built>,
  Exclude<HttpApiBuilder.Handlers.Context<Built>, Scope.Scope>
> =>
  Layer.effectContext(
    Effect.contextWith((services: Context.Context<Scope.Scope>) => {
      const group = HttpApiBuilder.group<ApiId, Groups, Id, Built>(Api, id, (handlers) =>
        given(build(handlers), services)
      )
      const complete: Layer.Layer<
        HttpApiGroup.Service<ApiId, Id>,
        HttpApiBuilder.Handlers.Error<Built>
      > = Function.cast(group)
      const scope = Context.get(services, Scope.Scope)
      return Layer.buildWithScope(complete, scope).pipe(Effect.updateContext(() => Context.empty()))
    })
  )
