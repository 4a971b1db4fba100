import { Layer } from "effect"
import { EventBus } from "../services/events/EventBus.ts"
import { Servers } from "./Servers.ts"

/** Every service of the console; needs only Settings. */
export const Services = Layer.mergeAll(EventBus.layer)

/** The production graph; needs only Settings. */
export const Main = Servers.pipe(Layer.provide(Services))
