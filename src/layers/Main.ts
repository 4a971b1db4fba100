import { NodeServices } from "@effect/platform-node"
import { Layer } from "effect"
import { DeviceIdentity } from "../services/device/DeviceIdentity.ts"
import { EventBus } from "../services/events/EventBus.ts"
import { Servers } from "./Servers.ts"

/** Every service of the console; needs only Settings. */
export const Services = Layer.mergeAll(EventBus.layer, DeviceIdentity.layer).pipe(Layer.provide(NodeServices.layer))

/** The production graph; needs only Settings. */
export const Main = Servers.pipe(Layer.provide(Services))
