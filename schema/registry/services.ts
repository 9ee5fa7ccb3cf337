import { byNetwork } from './entries.ts'

export { type CurveDesign, PERMIT2, type Service, type ServiceKind } from '../facts/services.ts'

/** Public infrastructure, by network and canonical address. */
export const SERVICES = byNetwork(({ services }) => services)
