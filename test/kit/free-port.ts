import { reservePort } from '../../deploy/demo/node/anvil.ts'

/** A port on which nothing listens now. */
export const freePort = (): Promise<number> => reservePort()
