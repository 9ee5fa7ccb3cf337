import { BASE } from './base.ts'
import { BNB } from './bnb.ts'
import type { NetworkInfo } from './entry.ts'
import { ETH } from './eth.ts'
import { HAQQ } from './haqq.ts'
import { POLYGON } from './polygon.ts'
import { SOLANA } from './solana.ts'
import { TON } from './ton.ts'
import { TRON } from './tron.ts'

/** All networks, by code. Published lists and enumerations keep this order. */
export const NETWORKS = { ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON, TON } satisfies Record<string, NetworkInfo>
