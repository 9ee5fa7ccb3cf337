/** The suite of every source, run by Solana's. */
import { createSolanaSourceWorld } from '../../../kit/source-worlds/solana.ts'
import { describeSource } from '../source.suite.ts'

describeSource('Solana', createSolanaSourceWorld)
