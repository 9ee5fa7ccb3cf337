import { reservePort } from '../../deploy/demo/node/anvil.ts'

/** A port nobody listens on now. */
export const freePort = (): Promise<number> => reservePort()
